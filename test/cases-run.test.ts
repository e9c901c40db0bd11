/** The VIR cases that run. They have a file of their own so that two workers share the cases. */

import { describe, test } from 'vitest';
import { readCases } from './harness/case-file.js';
import { checkCase } from './harness/check-case.js';

describe.concurrent('000/G-2, 000/G-3, 008/X7, 008/X8: cases', () => {
  for (const item of readCases(`${import.meta.dirname}/cases`)) {
    if (item.format === 'vir' && item.tests.includes('run')) {
      test(`${item.name} ${item.rules.join(' ')}`, () => checkCase(item));
    }
  }
});
