status 1
