/** The mark of the product, 26 px. */
export const Logo = ({ size = 26, quiet = false }: { readonly size?: number; readonly quiet?: boolean }) => (
  <svg width={size} height={size} viewBox="0 0 26 26" aria-hidden="true" className={quiet ? 'z-logo-quiet' : 'z-logo'}>
    <rect width="26" height="26" rx="5" />
    <path d="M8.4 18.2v-1.6l6.4-7h-6.2V7.5h9.1v1.6l-6.4 7h6.5v2.1z" />
  </svg>
);
