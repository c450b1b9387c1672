// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The nodes that a certificate stands for: its subject alternative names of the form {@code
 * verbena://CLUSTER/ID}. Other names it may have do not matter.
 */
record NodeNames(List<String> uris) {

  private static final String SCHEME = "verbena://";
  private static final int URI = 6; // RFC 5280, GeneralName: uniformResourceIdentifier

  /** The name of a node in certificates. */
  static String of(String cluster, int node) {
    return SCHEME + cluster + "/" + node;
  }

  static NodeNames of(X509Certificate certificate) throws CertificateParsingException {
    List<String> found = new ArrayList<>();
    Collection<List<?>> names = certificate.getSubjectAlternativeNames();
    if (names != null) {
      for (List<?> name : names) {
        if (name.get(0).equals(URI) && name.get(1) instanceof String uri && isOurs(uri)) {
          found.add(uri);
        }
      }
    }
    return new NodeNames(List.copyOf(found));
  }

  private static boolean isOurs(String uri) {
    return uri.startsWith(SCHEME);
  }

  boolean include(String cluster, int node) {
    return uris.contains(of(cluster, node));
  }

  boolean includeSomeOf(String cluster) {
    return uris.stream().anyMatch(uri -> uri.startsWith(SCHEME + cluster + "/"));
  }

  /** For errors. */
  String inWords() {
    return uris.isEmpty() ? "no " + SCHEME + " name" : String.join(", ", uris);
  }
}
