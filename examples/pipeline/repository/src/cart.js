/** A line is { name, price, count }. Prices are in cents. */
export function total(lines) {
  return lines.reduce((sum, { price, count }) => sum + price * count, 0);
}

export function remove(lines, name) {
  return lines.splice(
    lines.findIndex((line) => line.name === name),
    1,
  );
}
