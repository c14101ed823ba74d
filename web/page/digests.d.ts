/** The digests of the nets and books, by the names of their files. `web/build` writes the module. */
export const DIGESTS: Record<string, string>;
