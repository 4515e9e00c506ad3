const grams = { g: 1, kg: 1000, lb: 453.59237 };

export const units = Object.keys(grams);

export function convertWeight(value, from, to) {
  return (value * grams[from]) / grams[to];
}
