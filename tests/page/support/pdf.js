// PDF documents for tests: one page for each colour.

/**
 * A PDF file of 16:9 pages, each filled with one colour.
 * @param {[number, number, number][]} colours red, green and blue, 0 … 1
 */
export function pdf(colours) {
  const pages = colours.map((_colour, index) => 3 + 2 * index); // numbers of the page objects; each is followed by its content
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((number) => `${number} 0 R`).join(' ')}] >>`];
  for (const [index, colour] of colours.entries()) {
    const content = `${colour.join(' ')} rg 0 0 320 180 re f`;
    objects.push(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 320 180] /Contents ${pages[index] + 1} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  }
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  return `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
}
