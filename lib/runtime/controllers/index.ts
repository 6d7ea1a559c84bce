/** The controllers of the operator, in the order they are started. */
import type { Controller } from '../controller.ts';

/** Every controller. */
export const controllers: readonly Controller[] = [];
