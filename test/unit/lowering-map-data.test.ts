import { describe, expect, test } from 'vitest';
import type { DiagnosticError } from '../../src/diag/diagnostic.js';
import {
  LoweringMap,
  type LoweringMapData,
  lowerModule,
  parseHir,
  parseVir,
  printVir,
} from '../../src/index.js';
import type { Node } from '../../src/ir/entities.js';

const TEXT = `func @f(%n: i32) -> i32 export {
  var %sum: i32 = 0
  while (icmp slt i32 (%sum, %n)) {
    %sum = add i32 (%sum, mul i32 (%n, 2))
  }
  return %sum
}
`;

function lowered() {
  const hir = parseHir(TEXT);
  const vir = lowerModule(hir, 'ts');
  return { hir, vir, map: vir.loweringMap as LoweringMap };
}

function everything(map: LoweringMap, nodeCount: number) {
  return Array.from({ length: nodeCount }, (_, node) => [
    map.value(node as Node),
    map.entities(node as Node),
  ]);
}

describe('005/L-30 005/L-33: the LoweringMap as data', () => {
  test('comes back from JSON over the .vir text of its module', () => {
    const { hir, vir, map } = lowered();
    const again = parseVir(printVir(vir));
    const data: unknown = JSON.parse(JSON.stringify(map));
    const read = LoweringMap.fromJSON(data, again);
    expect(everything(read, hir.nodes.length)).toEqual(everything(map, hir.nodes.length));
    expect(everything(map, hir.nodes.length).some(([, entities]) => (entities as []).length > 0)).toBe(true);
    expect(JSON.stringify(read)).toBe(JSON.stringify(map));
  });

  test('is the same data from both cores', () => {
    const { hir, map } = lowered();
    expect(JSON.stringify(lowerModule(hir, 'auto').loweringMap)).toBe(JSON.stringify(map));
  });

  const data = () => lowered().map.toJSON();
  test.each<[string, (good: LoweringMapData) => unknown]>([
    ['no object', () => 3],
    ['null', () => null],
    ['another version', (good) => ({ ...good, loweringMap: 2 })],
    ['no count', (good) => ({ ...good, nodeCount: -1 })],
    ['no array', (good) => ({ ...good, values: 'x' })],
    ['too short', (good) => ({ ...good, blocks: good.blocks.slice(1) })],
    ['of another module', (good) => ({ ...good, instructions: [...good.instructions, 0] })],
    ['a node that is none', (good) => ({ ...good, blocks: good.blocks.map(() => good.nodeCount) })],
    ['a fraction', (good) => ({ ...good, values: good.values.map(() => 0.5) })],
  ])('%s is refused with VCT0505, and nothing changes', (_, broken) => {
    const { vir, map } = lowered();
    const before = JSON.stringify(map);
    let code = 'none';
    try {
      LoweringMap.fromJSON(broken(data()), vir);
    } catch (error) {
      code = (error as DiagnosticError).code;
    }
    expect(code).toBe('VCT0505');
    expect(JSON.stringify(map)).toBe(before);
  });
});
