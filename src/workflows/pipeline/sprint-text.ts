/** Small texts that several parts of the workflow need. Pure. */

/** A task's own number within a sprint, before it becomes an id. */
export const taskIdText = /^T\d{1,3}$/;
