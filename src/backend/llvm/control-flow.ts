/** What the text of one function needs of its control flow: how many edges join two blocks, and which branches repeat a loop. */

import { refuseVectorize, VectorizableLoops } from '../../core/vectorizable-loops.js';
import type { Block } from '../../ir/entities.js';
import { Opcode } from '../../ir/opcodes.js';
import type { VirFunction } from '../../ir/vir-module.js';
import type { ModuleState } from './module-state.js';
import { loopNode } from './traits.js';

/** Built in one pass over the terminators. */
export class ControlFlow {
  /** Edges beyond the first between two blocks, by `from * blockCount + to`. */
  readonly #parallel = new Map<number, number>();
  /** Loop nodes by header. */
  readonly #loops = new Map<Block, string>();
  readonly #vectorizable: VectorizableLoops;

  constructor(
    readonly state: ModuleState,
    readonly code: VirFunction,
  ) {
    this.#vectorizable = new VectorizableLoops(code);
    for (let block = 0; block < code.blockCount; block++) this.#countEdges(block as Block);
  }

  /** How many edges go from one block to the other. Requires that one does. */
  edgeCount(from: Block, to: Block): number {
    return 1 + (this.#parallel.get(from * this.code.blockCount + to) ?? 0);
  }

  /**
   * `!llvm.loop` of the terminator of a block, after a comma, when it goes back to the header of a loop that carries
   * requests. The requests stand on the header, or on the branch back to it.
   */
  loopMetadata(block: Block): string {
    const { code } = this;
    for (const target of targets(code, block)) {
      if (target > block) continue;
      const own = loopNodeOnce(this.#loops, target, () => {
        const mayVectorize = (isStrong: boolean) => this.#mayVectorize(target, isStrong);
        const onHeader = loopNode(this.state, code.blockTraits(target), mayVectorize);
        return onHeader !== ''
          ? onHeader
          : loopNode(this.state, code.instructionTraits(code.terminator(block)), mayVectorize);
      });
      if (own !== '') return `, !llvm.loop ${own}`;
    }
    return '';
  }

  /** Whether a loop may be asked to be vectorized without that its results change. */
  #mayVectorize(header: Block, isStrong: boolean): boolean {
    if (this.#vectorizable.keepsResults(header)) return true;
    return isStrong ? refuseVectorize(this.code, header) : false;
  }

  #countEdges(block: Block): void {
    const seen = new Set<Block>();
    for (const target of targets(this.code, block)) {
      const key = block * this.code.blockCount + target;
      if (seen.has(target)) this.#parallel.set(key, (this.#parallel.get(key) ?? 0) + 1);
      seen.add(target);
    }
  }
}

function loopNodeOnce(nodes: Map<Block, string>, header: Block, make: () => string): string {
  const known = nodes.get(header);
  if (known !== undefined) return known;
  const node = make();
  if (node !== '') nodes.set(header, node);
  return node;
}

/** The targets of a block's terminator, once for each edge. */
function targets(code: VirFunction, block: Block): Block[] {
  const inst = code.terminator(block);
  switch (code.opcode(inst)) {
    case Opcode.br:
      return [code.blockOperand(inst, 0)];
    case Opcode.condbr:
      return [code.blockOperand(inst, 1), code.blockOperand(inst, 2)];
    case Opcode.switch: {
      const result: Block[] = [];
      for (let index = 1; index < code.operandCount(inst); index += 2)
        result.push(code.blockOperand(inst, index));
      return result;
    }
    default:
      return [];
  }
}
