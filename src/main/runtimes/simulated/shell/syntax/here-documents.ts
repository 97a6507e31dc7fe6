import { Characters } from './characters.ts'
import type { Word, WordPart } from './syntax.ts'
import { staticText } from './syntax.ts'
import { Unreadable } from '../unreadable.ts'
import type { ParseSubstitution } from './word-reader.ts'
import { WordReader } from './word-reader.ts'

interface Begun {
  readonly delimiter: string
  readonly isQuoted: boolean
  readonly stripsTabs: boolean
  /** Filled in at the end of the line. */
  readonly word: WordPart[]
}

/** The here-documents of a script, whose texts begin on the line after `<<`. */
export class HereDocuments {
  readonly #characters: Characters
  readonly #parseSubstitution: ParseSubstitution
  #begun: Begun[] = []

  constructor(characters: Characters, parseSubstitution: ParseSubstitution) {
    this.#characters = characters
    this.#parseSubstitution = parseSubstitution
  }

  /** The word of the document, whose text is read at the end of the line. */
  begin(delimiter: Word, stripsTabs: boolean): Word {
    const text = staticText(delimiter)
    if (text === undefined) throw new Unreadable('<< with a computed end')
    const word: WordPart[] = []
    const isQuoted = delimiter.some((part) => part.kind === 'text' && part.isQuoted)
    this.#begun.push({ delimiter: text, isQuoted, stripsTabs, word })
    return word
  }

  /** At the beginning of a line: reads the texts of the documents that the line before began. */
  read(): void {
    const begun = this.#begun
    this.#begun = []
    for (const document of begun) this.#readOne(document)
  }

  #readOne({ delimiter, isQuoted, stripsTabs, word }: Begun): void {
    let text = ''
    for (;;) {
      // Shells take the end of the script for the end of the document.
      if (this.#characters.isAtEnd) break
      const whole = this.#characters.takeMatch(/[^\n]*\n?/)
      const line = stripsTabs ? whole.replace(/^\t+/, '') : whole
      if (line.replace(/\n$/, '') === delimiter) break
      text += line
    }
    if (isQuoted) {
      word.push({ kind: 'text', text, isQuoted: true })
      return
    }
    const characters = new Characters(text)
    const reader = new WordReader({ characters, parseSubstitution: this.#parseSubstitution })
    word.push({ kind: 'text', text: '', isQuoted: true }, ...reader.readDocument())
  }
}
