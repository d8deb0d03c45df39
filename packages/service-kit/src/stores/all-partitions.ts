/** Name of the checkpoint that the read models are complete to: one projector follows the whole log. */
export const allPartitions = 'all';
