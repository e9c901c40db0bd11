// @ts-check
/**
 * The two trees of mini, as types only: what the parser makes (`Expression`, `Statement`, `Declaration`), and what the
 * checker makes of it (`Typed…`), in which every name is resolved and every conversion is a node of its own.
 */

/**
 * @typedef {import('./errors.mjs').Place} Place
 * @typedef {import('./types.mjs').Type} Type
 */

// ---- what the parser makes

/**
 * @typedef {{ at: Place } & (
 *   | { kind: 'named', name: string }
 *   | { kind: 'pointer', to: TypeNode }
 *   | { kind: 'array', count: Expression, element: TypeNode }
 *   | { kind: 'function', parameters: TypeNode[], result: TypeNode | undefined }
 * )} TypeNode
 *
 * @typedef {{ at: Place } & (
 *   | { kind: 'integer', value: bigint }
 *   | { kind: 'float', value: number }
 *   | { kind: 'boolean', value: boolean }
 *   | { kind: 'null' }
 *   | { kind: 'string', bytes: Uint8Array }
 *   | { kind: 'name', name: string }
 *   | { kind: 'sizeof', of: TypeNode }
 *   | { kind: 'array', elements: Expression[] }
 *   | { kind: 'structure', name: string, fields: { name: string, value: Expression, at: Place }[] }
 *   | { kind: 'unary', operator: string, operand: Expression }
 *   | { kind: 'binary', operator: string, left: Expression, right: Expression }
 *   | { kind: 'conditional', condition: Expression, then: Expression, otherwise: Expression }
 *   | { kind: 'cast', operand: Expression, to: TypeNode }
 *   | { kind: 'call', callee: Expression, values: Expression[] }
 *   | { kind: 'field', base: Expression, name: string }
 *   | { kind: 'index', base: Expression, index: Expression }
 * )} Expression
 *
 * @typedef {{ name: string, type: TypeNode, at: Place }} Parameter
 * @typedef {{ kind: 'variable', name: string, isConstant: boolean, type: TypeNode | undefined,
 *   value: Expression | undefined, at: Place }} VariableDeclaration
 * @typedef {{ kind: 'function', name: string, parameters: Parameter[], varargs: boolean,
 *   result: TypeNode | undefined, body: (Statement & { kind: 'block' }) | undefined, at: Place }} FunctionDeclaration
 * @typedef {{ kind: 'struct', name: string, fields: Parameter[], at: Place }} StructDeclaration
 * @typedef {FunctionDeclaration | StructDeclaration | VariableDeclaration} Declaration
 *
 * @typedef {{ values: Expression[] | undefined, statements: Statement[], at: Place }} Arm
 *
 * @typedef {VariableDeclaration | ({ at: Place } & (
 *   | { kind: 'block', statements: Statement[], end: Place }
 *   | { kind: 'if', condition: Expression, then: Statement, otherwise: Statement | undefined }
 *   | { kind: 'while', label: string | undefined, condition: Expression, body: Statement }
 *   | { kind: 'doWhile', label: string | undefined, condition: Expression, body: Statement }
 *   | { kind: 'for', label: string | undefined, first: Statement | undefined, condition: Expression | undefined,
 *       step: Statement | undefined, body: Statement }
 *   | { kind: 'switch', value: Expression, arms: Arm[] }
 *   | { kind: 'break' | 'continue', label: string | undefined }
 *   | { kind: 'return', value: Expression | undefined }
 *   | { kind: 'defer', body: Statement }
 *   | { kind: 'assign', operator: string, place: Expression, value: Expression }
 *   | { kind: 'expression', value: Expression }
 * ))} Statement
 */

// ---- what the checker makes

/**
 * @typedef {{ kind: 'local' | 'global', name: string, type: Type, isConstant: boolean, at: Place,
 *   value?: TypedExpression }} VariableSymbol
 * @typedef {{ kind: 'function', name: string, type: import('./types.mjs').FunctionType, at: Place,
 *   parameters: VariableSymbol[], body?: TypedStatement }} FunctionSymbol
 *
 * @typedef {{ type: Type, at: Place } & (
 *   | { kind: 'constant', value: bigint | number | boolean | null }
 *   | { kind: 'string', bytes: Uint8Array }
 *   | { kind: 'variable', symbol: VariableSymbol }
 *   | { kind: 'function', symbol: FunctionSymbol }
 *   | { kind: 'zero' }
 *   | { kind: 'aggregate', members: TypedExpression[] }
 *   | { kind: 'unary', operator: '-' | '!' | '~', operand: TypedExpression }
 *   | { kind: 'binary', operator: string, left: TypedExpression, right: TypedExpression }
 *   | { kind: 'logical', operator: '&&' | '||', left: TypedExpression, right: TypedExpression }
 *   | { kind: 'conditional', condition: TypedExpression, then: TypedExpression, otherwise: TypedExpression }
 *   | { kind: 'cast', operand: TypedExpression }
 *   | { kind: 'call', callee: TypedExpression, values: TypedExpression[] }
 *   | { kind: 'address', place: TypedExpression }
 *   | { kind: 'offset', pointer: TypedExpression, index: TypedExpression }
 *   | { kind: 'distance', left: TypedExpression, right: TypedExpression }
 *   | { kind: 'deref', pointer: TypedExpression }
 *   | { kind: 'field', base: TypedExpression, index: number }
 *   | { kind: 'element', base: TypedExpression, index: TypedExpression }
 * )} TypedExpression
 *
 * An `aggregate` is an array or struct literal. An `offset` is a pointer moved by whole elements, a `distance` the
 * elements between two pointers. `variable`, `deref`, and a `field` or `element` of a place are places.
 *
 * @typedef {{ values: bigint[] | undefined, statements: TypedStatement[], fallsThrough: boolean, at: Place }} TypedArm
 *
 * @typedef {{ at: Place } & (
 *   | { kind: 'block', statements: TypedStatement[] }
 *   | { kind: 'declare', symbol: VariableSymbol, value: TypedExpression }
 *   | { kind: 'assign', place: TypedExpression, value: TypedExpression }
 *   | { kind: 'update', place: TypedExpression, operator: string, value: TypedExpression }
 *   | { kind: 'expression', value: TypedExpression }
 *   | { kind: 'if', condition: TypedExpression, then: TypedStatement, otherwise: TypedStatement | undefined }
 *   | { kind: 'while' | 'doWhile', label: string | undefined, condition: TypedExpression, body: TypedStatement }
 *   | { kind: 'for', label: string | undefined, first: TypedStatement | undefined, condition: TypedExpression,
 *       step: TypedStatement | undefined, body: TypedStatement }
 *   | { kind: 'switch', value: TypedExpression, arms: TypedArm[] }
 *   | { kind: 'break' | 'continue', label: string | undefined }
 *   | { kind: 'return', value: TypedExpression | undefined }
 *   | { kind: 'defer', body: TypedStatement }
 * )} TypedStatement
 *
 * @typedef {{ structs: import('./types.mjs').StructType[], globals: VariableSymbol[], functions: FunctionSymbol[] }}
 *   TypedProgram
 */

export {};
