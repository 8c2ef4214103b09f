package io.fairlead.credentials;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.naming.InvalidNameException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * Whom a certificate names.
 *
 * @param commonName the last of them, as in Go's {@code crypto/x509}; empty if there is none
 * @param organizations in the certificate's order
 */
public record Subject(String commonName, List<String> organizations) {
    public Subject {
        organizations = List.copyOf(organizations);
    }

    /** Of a leaf; of names that cannot be read nothing. */
    public static Subject of(X509Certificate leaf) {
        List<String> names = values(leaf, "CN");
        return new Subject(names.isEmpty() ? "" : names.getLast(), values(leaf, "O"));
    }

    private static List<String> values(X509Certificate leaf, String type) {
        List<String> values = new ArrayList<>();
        try {
            for (Rdn rdn : new LdapName(leaf.getSubjectX500Principal().getName()).getRdns()) {
                Attribute attribute = rdn.toAttributes().get(type);
                NamingEnumeration<?> all = attribute == null ? null : attribute.getAll();
                while (all != null && all.hasMore()) {
                    if (all.next() instanceof String text) {
                        values.add(text);
                    }
                }
            }
        } catch (InvalidNameException e) {
            return List.of();
        } catch (NamingException e) {
            throw new IllegalStateException(e);
        }
        return values;
    }
}
