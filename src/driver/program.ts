/** What a program starts with: the same for `run` and `build`, so that what runs here builds there (010). */

import { isMainType } from '../backend/c/index.js';
import { fail } from '../diag/diagnostic.js';
import { Linkage } from '../ir/schema.js';
import type { VirModule } from '../ir/vir-module.js';

/** Fails with VCT0909, VCT0911 or VCT0644 unless the module has a `main` that a C program may have, and exports it. */
export function requireMain(vir: VirModule): void {
  const { tables } = vir;
  const name = tables.names.find('main');
  const main = name === undefined ? undefined : tables.findFunction(name);
  if (main === undefined || vir.function(main).blockCount === 0) fail('VCT0909');
  const position = vir.functionPositionOf(main);
  if (tables.functionLinkage(main) === Linkage.internal) fail('VCT0911', {}, position);
  const type = tables.functionType(main);
  if (!isMainType(tables.types, type))
    fail('VCT0644', { name: 'main', type: tables.types.text(type) }, position);
}
