/** The core as the rooms below it use it. */

export { lowerModule } from './lower-module.js';
export { type CoreInfo, coreInfo } from './native.js';
