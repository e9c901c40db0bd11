/** HIR: the typed builder, the text form, and the verifier (003). */

export type { RelationshipName } from '../traits/trait-table.js';
export type { LiteralValue } from './builder/constant-literals.js';
export { Expression, LeafExpression, type Literal, type Operand } from './builder/expression.js';
export type { PositionMode } from './builder/function-body.js';
export {
  type CaseOptions,
  CaseRange,
  type CaseValue,
  type Condition,
  type ConstructOptions,
  type ForClauses,
  FunctionBuilder,
  range,
  type SwitchArms,
} from './builder/function-builder.js';
export {
  createModule,
  type FunctionOptions,
  FunctionReference,
  Global,
  type GlobalOptions,
  type LinkageName,
  ModuleBuilder,
  type ModuleOptions,
} from './builder/module-builder.js';
export { type AccessOptions, Place } from './builder/place.js';
export { type RequestUse, type TraitUse, traits } from './builder/traits.js';
export * from './builder/types.js';
export { type Parameter, param, Variable, type VariableOptions } from './builder/variable.js';
export { optimizeHir } from './optimize/index.js';
export { type ParseOptions as HirParseOptions, parseHir } from './parser.js';
export { printHir } from './printer.js';
export { assertHir, verifyHir } from './verifier.js';
