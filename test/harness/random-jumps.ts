/**
 * Texts of random functions with labels and gotos, in which every write of a variable is another value, so that where phis must stand is
 * a matter of the control flow alone; and every block is reachable, since every jump hangs on a condition of its own.
 */

import type { Random } from './random.js';

const NAMES = ['a', 'b', 'c', 'd'] as const;
const LOCALS = NAMES.slice(2);
const LABELS = 6;

/** What the functions call: `@w` gives the values to write, `@r` takes those that are read, `@c` decides. */
const PRELUDE = 'declare @w() -> i32\ndeclare @r(i32) -> void\ndeclare @c() -> i1\n';

/** A module with one function `@f`; its variables are in registers, or in memory. `counts` counts the statements by kind. */
export function randomJumps(random: Random, inMemory: boolean, counts: Map<string, number>): string {
  const traits = inMemory ? ' #[isAddressed]' : '';
  const writer = new JumpWriter(random, counts);
  const body = writer.body();
  const locals = LOCALS.map((name) => `local %${name}: i32${traits}\n`);
  const parameters = NAMES.slice(0, 2).map((name) => `%${name}: i32${traits}`);
  return `${PRELUDE}func @f(${parameters.join(', ')}) -> void export {\n${locals.join('')}${body}}\n`;
}

class JumpWriter {
  #labelsLeft = LABELS;
  #statementsLeft = 60;
  #loops = 0;

  constructor(
    readonly random: Random,
    readonly counts: Map<string, number>,
  ) {}

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
    if (choice < 54) return this.#guarded('goto', `goto l${1 + random.below(LABELS)}\n`);
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
    return this.#count('do', `do ${inner()} while (call @c ())\n`);
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
