package io.fairlead.http;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Iterator;
import java.util.Map;

/** Between {@link Fields} and Netty's headers, for those who still work with these. */
public final class NettyFields {
    /** What is read from a peer was checked before. */
    private static final DefaultHttpHeadersFactory UNCHECKED =
            DefaultHttpHeadersFactory.headersFactory().withValidation(false);

    private NettyFields() {}

    /** The fields of a head that is sent; control bytes in values, which no field may have, become spaces. */
    public static Fields of(HttpHeaders headers) {
        Fields.Builder fields = Fields.builder(headers.size(), 32 * headers.size());
        Iterator<Map.Entry<CharSequence, CharSequence>> all = headers.iteratorCharSequence();
        while (all.hasNext()) {
            Map.Entry<CharSequence, CharSequence> field = all.next();
            fields.add(field.getKey().toString(), printable(field.getValue()));
        }
        return fields.build();
    }

    /** Fields that were checked, without pseudo-header fields. */
    public static HttpHeaders headers(Fields fields) {
        HttpHeaders headers = UNCHECKED.newHeaders();
        for (int i = 0; i < fields.size(); i++) {
            if (!fields.isPseudo(i)) {
                headers.add(fields.name(i), fields.value(i));
            }
        }
        return headers;
    }

    /** Headers without any field yet, whose fields will be checked before they are added. */
    public static HttpHeaders noHeaders() {
        return UNCHECKED.newHeaders();
    }

    private static String printable(CharSequence value) {
        for (int i = 0; i < value.length(); i++) {
            if (!FieldRules.isFieldValueCharacter(value.charAt(i))) {
                return value.toString().replaceAll("[\\x00-\\x08\\x0a-\\x1f\\x7f]", " ");
            }
        }
        return value.toString();
    }
}
