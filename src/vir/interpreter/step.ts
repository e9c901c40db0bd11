/** What a decoded instruction is: a function over the registers of its frame. */

import type { Slot } from './values.js';

/** The registers of one call: results, parameters and constants, by the numbers that decoding gave them. */
export type Registers = Slot[];

/** Executes one instruction. */
export type Step = (registers: Registers) => void;
