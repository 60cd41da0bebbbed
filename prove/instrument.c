/* SPDX-License-Identifier: MIT */
/* instrument.c - mesi-instrument [--inputs] HELPERS.bc IN.bc OUT.bc: gives a module the arithmetic
 * of `mesicc prove`.
 *
 * IN.bc is the output of clang -O1 -Xclang -disable-llvm-passes: no floating-point operation has
 * been folded yet. HELPERS.bc is helpers.c, for its declarations. With --inputs the module is a
 * file of the program, whose host stores may be inputs. OUT.bc is for clang -O0 or -O1. */
#include "rewriter.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static LLVMModuleRef read_module(LLVMContextRef context, const char *path)
{
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef module;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
    fprintf(stderr, "mesi-instrument: %s: %s\n", path, message);
    exit(1);
  }
  if (LLVMParseBitcodeInContext2(context, buffer, &module)) {
    fprintf(stderr, "mesi-instrument: %s is no bitcode\n", path);
    exit(1);
  }
  LLVMDisposeMemoryBuffer(buffer);
  return module;
}

static void run_passes(LLVMModuleRef module, const char *passes)
{
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error) return;
  fprintf(stderr, "mesi-instrument: %s\n", LLVMGetErrorMessage(error));
  exit(1);
}

/* Functions that are declared to touch no memory touch slots now. */
static void drop_attributes(LLVMValueRef function)
{
  unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
  LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
}

static bool is_naked(LLVMValueRef function)
{
  unsigned kind = LLVMGetEnumAttributeKindForName("naked", 5);
  return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                     kind) != NULL;
}

static void rewrite_module(struct rewriter *r)
{
  unsigned count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(r->module); f; f = LLVMGetNextFunction(f)) count++;
  LLVMValueRef *functions = malloc((count + 1) * sizeof *functions);
  count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(r->module); f; f = LLVMGetNextFunction(f))
    functions[count++] = f;
  for (unsigned i = 0; i < count; i++) {
    if (LLVMGetIntrinsicID(functions[i])) continue;
    drop_attributes(functions[i]);
    if (!LLVMIsDeclaration(functions[i]) && !is_naked(functions[i]))
      rewrite_function(r, functions[i]);
  }
  free(functions);
}

int main(int argc, char **argv)
{
  bool inputs = argc > 1 && !strcmp(argv[1], "--inputs");
  argv += inputs;
  if (argc - inputs != 4) {
    fputs("usage: mesi-instrument [--inputs] HELPERS.bc IN.bc OUT.bc\n", stderr);
    return 1;
  }
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = read_module(context, argv[2]), helpers = read_module(context, argv[1]);
  run_passes(module, "function(sroa,break-crit-edges)");
  struct rewriter r = {.context = context,
                       .module = module,
                       .builder = LLVMCreateBuilderInContext(context),
                       .layout = LLVMGetModuleDataLayout(module),
                       .i32 = LLVMInt32TypeInContext(context),
                       .i64 = LLVMInt64TypeInContext(context),
                       .f32 = LLVMFloatTypeInContext(context),
                       .f64 = LLVMDoubleTypeInContext(context),
                       .inputs = inputs,
                       .helpers = helpers};
  rewrite_module(&r);
  run_passes(module, "function(adce)"); /* removes the elements of integers that no code moves */
  char *message = NULL;
  if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
    fprintf(stderr, "mesi-instrument: %s: %s\n", argv[2], message);
    return 1;
  }
  if (LLVMWriteBitcodeToFile(module, argv[3])) return 1;
  LLVMDisposeBuilder(r.builder);
  LLVMDisposeModule(module);
  LLVMDisposeModule(helpers);
  LLVMContextDispose(context);
  return 0;
}
