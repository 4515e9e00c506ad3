export function createNote(id, text) {
  if (text.trim() === '') throw new Error('A note needs a text');
  return { id, text: text.trim() };
}
