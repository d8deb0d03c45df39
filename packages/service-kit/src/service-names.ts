/** The services of the product, which one process may be all of. */
export const serviceNames = ['command', 'projector', 'gateway'] as const;
export type ServiceName = (typeof serviceNames)[number];
