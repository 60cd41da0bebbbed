inline int inner() { return outter; }
