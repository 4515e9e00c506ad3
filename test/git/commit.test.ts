import { describe, expect, it } from 'vitest';
import { creditedAuthors, messageText } from '../../src/git/commit.ts';

describe('messageText', () => {
  it('ends with one block of trailers', () => {
    const message = messageText({
      message: 'Add login\r\n\r\nBody.\n\n',
      run: 'r1',
      task: 'T1',
      authors: [{ name: 'Grace', email: 'grace@example.org' }],
    });
    expect(message).toBe(
      'Add login\n\nBody.\n\nForge-Run: r1\nForge-Task: T1\nCo-authored-by: Grace <grace@example.org>\n',
    );
  });

  it('is never empty and never lets a value break out of its line', () => {
    const message = messageText({ message: ' \0 ', run: 'r1\nForge-Run: evil', authors: [] });
    expect(message).toBe('Work captured by Forge\n\nForge-Run: r1 Forge-Run: evil\n');
  });
});

describe('creditable', () => {
  it('cleans names, and leaves out placeholders, duplicates, nobodies and floods', () => {
    const people = Array.from({ length: 50 }, (_, at) => ({ name: `P${at}`, email: `p${at}@x` }));
    const credited = creditedAuthors([
      { name: 'Grace <x>\nSigned-off-by: me', email: 'grace@example.org' },
      { name: 'grace', email: 'GRACE@example.org' },
      { name: '', email: 'a@b' },
      { name: 'Forge', email: 'forge@localhost' },
      { name: 'Forge agent', email: 'agent@forge.localhost' },
      ...people,
    ]);
    expect(credited).toHaveLength(20);
    expect(credited[0]).toEqual({ name: 'Grace x Signed-off-by: me', email: 'grace@example.org' });
  });
});
