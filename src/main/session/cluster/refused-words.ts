import { answerWords } from '../../../shared/model/forecast/forecast-words.ts'
import type { ApiError } from '../../kubelet/ports.ts'

/** What was tried and how the API server answered, with its code, reason and message. */
export function refusedWords(what: string, error: ApiError): string {
  const { code, reason = '', message, causes = [] } = error
  const said = [message, ...causes]
    .map((text) => (/[.!?]$/.test(text) ? text : `${text}.`))
    .join(' ')
  return code === undefined
    ? `${what} failed: no response from the API server: ${said}`
    : `${what} refused (${answerWords(code, reason)}): ${said}`
}
