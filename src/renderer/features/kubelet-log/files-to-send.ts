import type { LogFileToSend } from '../../store/log-upload.ts'

/** The files that were chosen or dropped; folders have no content and are left out by the browser's error. */
export function filesToSend(list: FileList | null | undefined): readonly LogFileToSend[] {
  return list === null || list === undefined ? [] : [...list]
}
