/** A file that a volume is to have. */
export interface FileProjection {
  readonly data: string | Uint8Array
  /** Permissions, such as 0o644. */
  readonly mode: number
}

/** By path below the volume's folder. */
export type Payload = ReadonlyMap<string, FileProjection>
