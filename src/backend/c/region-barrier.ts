/** The barrier at every way in and out of a region (008/R14): a fence, and a call that the compiler cannot see through. */

import type { ValueWriter } from './value-writer.js';

const NAME = 'vct_opaque_barrier';

/**
 * The call goes through a volatile pointer, so that a compiler without inline assembly does not know either what is called; GCC and Clang
 * take the assembly, which may read and write all memory.
 */
const DEFINITION = `#if defined(__GNUC__) || defined(__clang__)
__attribute__((noinline)) static void ${NAME}(void)
{
    __asm__ volatile("" ::: "memory");
}
#else
static void vct_nothing(void)
{
}

static void (*volatile vct_opaque_call)(void) = vct_nothing;

static void ${NAME}(void)
{
    atomic_signal_fence(memory_order_seq_cst);
    vct_opaque_call();
    atomic_signal_fence(memory_order_seq_cst);
}
#endif`;

/** The statement, and what it needs. */
export function regionBarrier(values: ValueWriter): string {
  values.unit.helpers.set(NAME, DEFINITION);
  values.unit.headers.add('stdatomic.h');
  return `${NAME}()`;
}
