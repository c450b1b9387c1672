// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plot;

import java.awt.Dimension;
import java.awt.Graphics2D;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGraphics2D;
import org.w3c.dom.Document;

/** Vector graphics as SVG. */
final class SvgFile {

  private static final String NAMESPACE = "http://www.w3.org/2000/svg";

  private SvgFile() {}

  /** Writes what is painted. */
  static void write(Path file, int width, int height, Consumer<Graphics2D> painter)
      throws IOException {
    SVGGraphics2D svg = new SVGGraphics2D(newDocument());
    svg.setSVGCanvasSize(new Dimension(width, height));
    painter.accept(svg);
    try (Writer out = Files.newBufferedWriter(file)) {
      svg.stream(out, false); // attributes, which every program reads, instead of CSS
    }
  }

  private static Document newDocument() throws IOException {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .getDOMImplementation()
          .createDocument(NAMESPACE, "svg", null);
    } catch (ParserConfigurationException e) {
      throw new IOException("no XML on this JVM", e);
    }
  }
}
