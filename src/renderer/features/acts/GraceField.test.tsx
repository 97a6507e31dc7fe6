import { cleanup, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { GraceField } from './GraceField.tsx'

afterEach(cleanup)

function Asked({ specSeconds }: { readonly specSeconds: number }): ReactNode {
  const [value, setValue] = useState<number | null>(null)
  return <GraceField value={value} specSeconds={specSeconds} rule="its rule" onChange={setValue} />
}

function choices(): readonly string[] {
  const group = screen.getByRole('group', { name: 'Common grace periods' })
  return within(group)
    .getAllByRole('radio')
    .map((radio) => radio.closest('label')?.textContent ?? '')
}

describe('the grace of an act', () => {
  it.each([
    [30, ['0', '5', '10', '30 from spec']],
    [10, ['0', '5', '10 from spec']],
    [5, ['0', '5 from spec', '10']],
    [7, ['0', '5', '7 from spec', '10']],
  ])('offers each value once where the spec says %s s', (specSeconds, offered) => {
    render(<Asked specSeconds={specSeconds} />)
    expect(choices()).toEqual(offered)
  })

  it('marks the spec’s choice when the same number is typed', async () => {
    render(<Asked specSeconds={10} />)
    await userEvent.type(screen.getByRole('textbox'), '10')
    expect(screen.getByRole('radio', { name: '10 from spec', checked: true })).toBeTruthy()
  })
})
