/** A switch: all its arms, or those that a constant chooses. */

import type { ConstantId, Node } from '../../ir/entities.js';
import { NodeKind } from '../../ir/node-kinds.js';
import { caseBounds } from '../case-values.js';
import { rewriteExpression } from './expressions.js';
import { closeConstruct, leaveConstruct, openConstruct } from './jumps.js';
import type { Construct, Rewriter } from './rewriter-state.js';
import { makeArm } from './scopes.js';

/** An arm of the source, and what its body has become. */
interface MadeArm {
  readonly arm: Node;
  readonly body: Node;
  readonly isReached: boolean;
}

/** A switch; of one on a constant the arms that it reaches, without the switch when none of them breaks. */
export function rewriteSwitch(rewriter: Rewriter, node: Node): void {
  const { source } = rewriter;
  const value = source.firstChild(node);
  rewriter.inOrder(
    () => rewriteExpression(rewriter, value),
    () => {
      const all = source.children(node).slice(1);
      const constant = rewriter.topConstant();
      const arms = constant === undefined ? all : reachedArms(rewriter, all, constant);
      const construct = openConstruct(rewriter, node, false);
      const bodies: MadeArm[] = [];
      rewriter.inOrder(
        () => makeArms(rewriter, arms, 0, bodies, constant !== undefined),
        () => {
          if (constant !== undefined && !construct.isBroken) straightArms(rewriter, bodies);
          else closeSwitch(rewriter, node, bodies);
        },
      );
    },
  );
}

/** Arms of which the first is chosen and none breaks: their bodies, one after the other. */
function straightArms(rewriter: Rewriter, bodies: readonly MadeArm[]): void {
  leaveConstruct(rewriter);
  rewriter.drop();
  for (const { arm, body } of bodies) rewriter.emitAround(arm, body);
  const last = bodies[bodies.length - 1];
  if (last !== undefined) rewriter.list().isReached = last.isReached;
}

function closeSwitch(rewriter: Rewriter, node: Node, bodies: readonly MadeArm[]): void {
  const { source } = rewriter;
  const arms = bodies.map(({ arm, body }) => {
    const labels = source
      .children(arm)
      .slice(0, -1)
      .map((child) => rewriter.addLike(child, source.a(child), []));
    return rewriter.addLike(arm, source.a(arm), [...labels, body]);
  });
  const last = bodies[bodies.length - 1];
  const isTotal = bodies.some(({ arm }) => source.kind(arm) === NodeKind.default);
  const isLeft = bodies.some(({ arm, isReached }) => isReached && (source.a(arm) !== 1 || arm === last?.arm));
  const { isBroken } = rewriter.constructOf.get(node) as Construct;
  closeConstruct(rewriter, [rewriter.popNode(), ...arms]);
  rewriter.list().isReached = !isTotal || isLeft || isBroken;
}

/** The arm that a constant chooses, and those into which it falls through. */
function reachedArms(rewriter: Rewriter, arms: readonly Node[], constant: ConstantId): Node[] {
  const { source } = rewriter;
  const { constants } = source.tables;
  const value = constants.integerValue(constant);
  const isCase = (arm: Node) =>
    source.children(arm).some((child) => {
      const bounds = caseBounds(source, child);
      return bounds !== undefined && bounds[0] <= value && value <= bounds[1];
    });
  let first = arms.findIndex((arm) => source.kind(arm) === NodeKind.case && isCase(arm));
  if (first < 0) first = arms.findIndex((arm) => source.kind(arm) === NodeKind.default);
  if (first < 0) return [];
  let end = first + 1;
  while (end < arms.length && source.a(arms[end - 1] as Node) === 1) end++;
  return arms.slice(first, end);
}

/** Makes the arms from `index` on; where they only fall into one another, up to one that control does not leave at its end. */
function makeArms(
  rewriter: Rewriter,
  arms: readonly Node[],
  index: number,
  made: MadeArm[],
  isChain: boolean,
): void {
  const arm = arms[index];
  if (arm === undefined || (isChain && made[index - 1]?.isReached === false)) return;
  const body = rewriter.source.children(arm).at(-1) as Node;
  let isArmReached = false;
  rewriter.inOrder(
    () =>
      rewriter.inRegion(arm, () =>
        makeArm(rewriter, body, (isReached) => {
          isArmReached = isReached;
        }),
      ),
    () => {
      made.push({ arm, body: rewriter.blocks.pop() as Node, isReached: isArmReached });
      makeArms(rewriter, arms, index + 1, made, isChain);
    },
  );
}
