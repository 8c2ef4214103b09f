package io.fairlead.credentials.pki;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.ASN1UniversalString;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;

/** The subject of a certificate request (RFC 2986 section 4.1), of which nothing else is looked at. Any thread. */
public final class RequestSubject {
    private RequestSubject() {}

    /**
     * The organizations that the subject names.
     *
     * @param der the request
     * @throws IllegalArgumentException if the request cannot be read
     */
    public static List<String> organizations(byte[] der) {
        List<String> organizations = new ArrayList<>();
        for (RDN relative : subject(der).getRDNs(BCStyle.O)) {
            for (AttributeTypeAndValue attribute : relative.getTypesAndValues()) {
                if (attribute.getType().equals(BCStyle.O)) {
                    organizations.add(text(attribute));
                }
            }
        }
        return organizations;
    }

    private static X500Name subject(byte[] der) {
        try {
            ASN1Sequence request = ASN1Sequence.getInstance(ASN1Primitive.fromByteArray(der));
            ASN1Sequence info = ASN1Sequence.getInstance(request.getObjectAt(0));
            return X500Name.getInstance(info.getObjectAt(1));
        } catch (IOException | IllegalStateException | IndexOutOfBoundsException | NullPointerException malformed) {
            throw new IllegalArgumentException("asn1: structure error: it is no certificate request", malformed);
        }
    }

    private static String text(AttributeTypeAndValue organization) {
        if (organization.getValue() instanceof ASN1String text && !(text instanceof ASN1UniversalString)) {
            return text.getString(); // of that other form it would be in hexadecimal digits; Go does not read it either
        }
        throw new IllegalArgumentException("asn1: structure error: an organization is no text");
    }
}
