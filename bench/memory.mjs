/** What the tables of a module cost in memory: the rows that are used, which is what a module that is kept needs. */

const WORD = 4;

function bytesOfTables(...tables) {
  return tables.reduce((sum, table) => sum + table.length * table.stride * WORD, 0);
}

/** Bytes a HIR node and bytes a VIR instruction, each with all that is there for it: variables, operands, blocks, trait sets, the map. */
export function bytesOf(hir, vir) {
  const { traitSets } = hir.tables;
  const traits = bytesOfTables(traitSets.rows, traitSets.entries);
  const ofHir = bytesOfTables(hir.nodes, hir.variables, hir.functions) + traits;
  const ofMap = vir.loweringMap.values.length * WORD;
  const ofVir = bytesOfTables(vir.instructions, vir.operands, vir.blocks, vir.functions) + traits + ofMap;
  return { bytesANode: ofHir / hir.nodes.length, bytesAnInstruction: ofVir / vir.instructions.length };
}
