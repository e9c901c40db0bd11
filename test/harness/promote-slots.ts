/**
 * What a later pass may do with the slots that lowering made (005/L-26): the `.vir` text without those that are only loaded and stored, and
 * are neither volatile nor atomic. Every join gets a phi for every slot, needed or not: the plainest SSA form that is right.
 * Relationships are left out, since some of their ends go away.
 */

/** A function of the text: its first line, and its blocks. */
interface TextBlock {
  readonly label: string;
  readonly lines: string[];
  readonly predecessors: string[];
}

export interface Promotion {
  readonly text: string;
  /** How many slots went away. */
  readonly count: number;
}

const SLOT = /^ {2}(%[\w.]+) = alloca (\S+)( #\[.*\])?$/;
const LOAD = /^ {2}(%[\w.]+) = load (\S+) (%[\w.]+)(?: .*)?$/;
const STORE = /^ {2}store (\S+) (\S+), (%[\w.]+)(?: .*)?$/;
const FUNCTION = /^func .*\{$[\s\S]*?^\}$/gm;

/** The text without the slots of every function that may be promoted. */
export function promoteSlots(text: string): Promotion {
  let count = 0;
  const promoted = text.replace(FUNCTION, (body) => {
    const lines = body.split('\n');
    const slots = promotable(lines);
    count += slots.size;
    if (slots.size === 0) return body;
    return [lines[0], ...promoteIn(blocksOf(lines), slots), '}'].join('\n');
  });
  return { text: promoted.replace(/^relate .*\n/gm, ''), count };
}

/** The slots of one function that may be promoted, with the type of each. */
function promotable(lines: readonly string[]): Map<string, string> {
  const slots = new Map<string, string>();
  for (const line of lines) {
    const [, slot, type, traits = ''] = SLOT.exec(line) ?? [];
    if (slot !== undefined && !/isVolatile|isAtomic/.test(traits)) slots.set(slot, type as string);
  }
  for (const line of lines) {
    const plain = LOAD.exec(line)?.[3] ?? STORE.exec(line)?.[3] ?? SLOT.exec(line)?.[1];
    const stored = STORE.exec(line)?.[2];
    for (const [name] of line.matchAll(/%[\w.]+/g)) {
      if (slots.has(name) && (name !== plain || name === stored)) slots.delete(name);
    }
  }
  return slots;
}

function blocksOf(lines: readonly string[]): TextBlock[] {
  const blocks: TextBlock[] = [];
  for (const line of lines.slice(1, -1)) {
    const label = /^([\w.]+):/.exec(line)?.[1];
    if (label !== undefined) blocks.push({ label, lines: [line], predecessors: [] });
    else blocks.at(-1)?.lines.push(line);
  }
  const known = new Map(blocks.map((block) => [block.label, block]));
  for (const { label, lines: own } of blocks) {
    const last = own.at(-1) ?? '';
    if (!/^ {2}(br|condbr|switch) /.test(last)) continue;
    const targets = new Set([...last.matchAll(/%([\w.]+)/g)].map((match) => match[1] as string));
    for (const target of targets) known.get(target)?.predecessors.push(label);
  }
  return blocks;
}

/** The lines of all blocks with slots replaced by values. */
function promoteIn(blocks: readonly TextBlock[], slots: ReadonlyMap<string, string>): string[] {
  const renamed = new Map<string, string>();
  const valueAtEnd = new Map<string, Map<string, string>>();
  const phiName = (block: string, slot: string) => `${slot}.promoted.${block}`;
  const kept = blocks.map(({ label, lines, predecessors }) => {
    const values = new Map([...slots.keys()].map((slot) => [slot, 'undef']));
    if (predecessors.length > 0) for (const slot of slots.keys()) values.set(slot, phiName(label, slot));
    valueAtEnd.set(label, values);
    return lines.filter((line) => {
      if (slots.has(SLOT.exec(line)?.[1] ?? '')) return false;
      const [, loaded, , from = ''] = LOAD.exec(line) ?? [];
      if (slots.has(from)) renamed.set(loaded as string, values.get(from) as string);
      const [, , stored, to = ''] = STORE.exec(line) ?? [];
      if (slots.has(to)) values.set(to, stored as string);
      return !slots.has(from) && !slots.has(to);
    });
  });
  const finalValue = (name: string): string => {
    let value = name;
    for (let next = renamed.get(value); next !== undefined; next = renamed.get(value)) value = next;
    return value;
  };
  return blocks.flatMap(({ label, predecessors }, index) => {
    const [head = '', ...rest] = (kept[index] ?? []).map((line) => line.replace(/%[\w.]+/g, finalValue));
    const phis = [...slots].map(([slot, type]) => {
      const pairs = predecessors.map(
        (from) => `[ ${finalValue(valueAtEnd.get(from)?.get(slot) ?? 'undef')}, %${from} ]`,
      );
      return `  ${phiName(label, slot)} = phi ${type} ${pairs.join(', ')}`;
    });
    return [head, ...(predecessors.length > 0 ? phis : []), ...rest];
  });
}
