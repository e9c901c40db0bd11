/**
 * Texts of random functions, with labels and gotos or structured, in which every write of a variable is another value, so that where phis
 * must stand is a matter of the control flow alone; and every block is reachable, since every jump hangs on a condition of its own.
 */

import type { Random } from './random.js';

const NAMES = ['a', 'b', 'c', 'd'] as const;
const LOCALS = NAMES.slice(2);
const LABELS = 6;

/** What the functions call: `@w` gives the values to write, `@r` takes those that are read, `@c` decides. */
const PRELUDE = 'declare @w() -> i32\ndeclare @r(i32) -> void\ndeclare @c() -> i1\n';

/** What a random function is made of. */
export interface JumpOptions {
  /** Its variables are in memory, or in registers. */
  readonly inMemory: boolean;
  /** It has labels and gotos, or returns instead of them. */
  readonly hasLabels: boolean;
}

/** A module with one function `@f`. `counts` counts the statements by kind. */
export function randomJumps(
  random: Random,
  { inMemory, hasLabels }: JumpOptions,
  counts: Map<string, number>,
): string {
  const traits = inMemory ? ' #[isAddressed]' : '';
  const writer = new JumpWriter(random, counts, hasLabels);
  const body = writer.body();
  const locals = LOCALS.map((name) => `local %${name}: i32${traits}\n`);
  const parameters = NAMES.slice(0, 2).map((name) => `%${name}: i32${traits}`);
  return `${PRELUDE}func @f(${parameters.join(', ')}) -> void export {\n${locals.join('')}${body}}\n`;
}

class JumpWriter {
  #labelsLeft: number;
  #statementsLeft = 60;
  #loops = 0;

  constructor(
    readonly random: Random,
    readonly counts: Map<string, number>,
    readonly hasLabels: boolean,
  ) {
    this.#labelsLeft = hasLabels ? LABELS : 0;
  }

  body(): string {
    let text = this.#statements(0);
    while (this.#labelsLeft > 0) text += this.#label() + this.#statement(3);
    // A local that nothing writes must not be read (003/H-4).
    return text + LOCALS.map((name) => `%${name} = call @w ()\n`).join('');
  }

  #statements(depth: number): string {
    let text = '';
    for (let count = 1 + this.random.below(depth === 0 ? 9 : 4); count > 0; count--)
      text += this.#statement(depth);
    return text;
  }

  #statement(depth: number): string {
    const { random } = this;
    const choice = random.below(depth > 3 || this.#statementsLeft-- < 0 ? 60 : 100);
    const name = random.pick(NAMES);
    if (choice < 18) return this.#count('write', `%${name} = call @w ()\n`);
    if (choice < 34) return this.#count('read', `call @r (%${name})\n`);
    if (choice < 42) return this.#labelsLeft > 0 ? this.#label() : '';
    if (choice < 54 && this.hasLabels) return this.#guarded('goto', `goto l${1 + random.below(LABELS)}\n`);
    if (choice < 45) return this.#guarded('return', 'return\n');
    if (choice < 60) return this.#loops > 0 ? this.#jump() : '';
    const inner = () => `{\n${this.#statements(depth + 1)}}`;
    if (choice < 76)
      return this.#count('if', `if (call @c ()) ${inner()}${random.chance(50) ? ` else ${inner()}` : ''}\n`);
    if (choice < 80)
      return this.#count(
        'switch',
        `switch (call @w ()) {\ncase 1 fallthrough ${inner()}\ncase 2 ${inner()}\n}\n`,
      );
    this.#loops++;
    const text = this.#loop(inner);
    this.#loops--;
    return text;
  }

  #loop(inner: () => string): string {
    if (this.random.chance(50)) return this.#count('while', `while (call @c ()) ${inner()}\n`);
    if (!this.hasLabels && this.random.chance(50)) return this.#for(inner);
    return this.#count('do', `do ${inner()} while (call @c ())\n`);
  }

  /** A `for`, in whose step no jump leaves it: `continue` must not, and a round that always leaves would be no round. */
  #for(inner: () => string): string {
    const loops = this.#loops;
    this.#loops = 0;
    const step = inner();
    this.#loops = loops;
    return this.#count('for', `for { } while (call @c ()) step ${step} do ${inner()}\n`);
  }

  #label(): string {
    return this.#count('label', `label l${this.#labelsLeft--}\n`);
  }

  #jump(): string {
    const word = this.random.pick(['break', 'continue'] as const);
    return this.#guarded(word, `${word}\n`);
  }

  #guarded(kind: string, jump: string): string {
    return this.#count(kind, `if (call @c ()) {\n${jump}}\n`);
  }

  #count(kind: string, text: string): string {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    return text;
  }
}
