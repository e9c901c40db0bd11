/** The barrier at every way in and out of a region (008/R14): a fence, and a call that the compiler cannot see through. */

import type { ValueWriter } from './value-writer.js';

/** GCC and Clang must take the assembly for anything, so that the call is never taken away nor looked into. */
const GNU_FENCE = '__asm__ __volatile__("" ::: "memory")';
const GNU_CALL = `__attribute__((noinline)) static void vct_opaque_barrier(void)
{
    ${GNU_FENCE};
}`;

/** Without inline assembly, a volatile pointer hides what is called. */
const PLAIN_FENCE = 'atomic_signal_fence(memory_order_seq_cst)';
const PLAIN_CALL = `static void vct_nothing(void)
{
}

static void (*volatile vct_opaque_function)(void) = vct_nothing;

static void vct_opaque_barrier(void)
{
    vct_opaque_function();
}`;

/** The two statements. */
export function regionBarrier(values: ValueWriter): readonly string[] {
  const { unit } = values;
  const isPlain = values.dialect === 'c17';
  if (isPlain) unit.headers.add('stdatomic.h');
  unit.helpers.set('vct_opaque_barrier', isPlain ? PLAIN_CALL : GNU_CALL);
  return [isPlain ? PLAIN_FENCE : GNU_FENCE, 'vct_opaque_barrier()'];
}
