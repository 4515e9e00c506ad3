/** Claude Code: its figures are of the whole turn, side calls included. */
import { counted, describeClient } from './client-suite.ts';

describeClient('claude', { reader: counted });
