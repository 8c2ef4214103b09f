package io.fairlead.gateway.frontproxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.fairlead.fleet.publication.RequestHeaders;
import io.fairlead.http.FieldName;
import io.fairlead.http.FieldRules;
import io.fairlead.http.Fields;
import io.fairlead.http.MutableFields;
import io.fairlead.model.ExtraKey;
import io.fairlead.model.UserInfo;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The headers by which a front proxy names the user of a request (apiserver {@code
 * authentication/request/headerrequest}). Immutable.
 */
final class UserHeaders {
    private final List<FieldName> usernames;
    private final List<FieldName> uids;
    private final List<FieldName> groups;
    private final List<FieldName> extraPrefixes;

    /** @throws IllegalArgumentException naming what cannot be the name of a header */
    UserHeaders(RequestHeaders trusted) {
        usernames = names(trusted.usernameHeaders());
        uids = names(trusted.uidHeaders());
        groups = names(trusted.groupHeaders());
        extraPrefixes = names(trusted.extraHeaderPrefixes());
    }

    private static List<FieldName> names(List<String> texts) {
        for (String text : texts) {
            if (!FieldRules.isToken(text)) {
                throw new IllegalArgumentException("header that names a user: \"" + text + "\" (expected a token)");
            }
        }
        return texts.stream().map(FieldName::of).toList();
    }

    /** Reads the user and removes all these headers. Null if none is named, or a name is not UTF-8. */
    @Nullable
    UserInfo take(MutableFields headers) {
        UserInfo user = user(headers.toFields());
        usernames.forEach(headers::remove);
        uids.forEach(headers::remove);
        groups.forEach(headers::remove);
        extraPrefixes.forEach(headers::removeBeginningWith);
        return user;
    }

    private @Nullable UserInfo user(Fields headers) {
        try {
            String name = first(headers, usernames);
            return name.isEmpty() ? null : new UserInfo(name, first(headers, uids), groups(headers), extra(headers));
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** The first value of the first header that has one that is not empty. */
    private static String first(Fields headers, List<FieldName> names) throws CharacterCodingException {
        for (FieldName name : names) {
            String value = headers.get(name);
            if (value != null && !value.isEmpty()) {
                return text(value);
            }
        }
        return "";
    }

    private List<String> groups(Fields headers) throws CharacterCodingException {
        List<String> all = new ArrayList<>();
        for (FieldName name : groups) {
            for (String value : headers.all(name)) {
                if (!value.isEmpty()) {
                    all.add(text(value));
                }
            }
        }
        return all;
    }

    private Map<String, List<String>> extra(Fields headers) throws CharacterCodingException {
        Map<String, List<String>> extra = new TreeMap<>();
        for (FieldName prefix : extraPrefixes) {
            for (int i = 0; i < headers.size(); i++) {
                if (headers.beginsWith(i, prefix)) {
                    String escaped = headers.name(i).substring(prefix.bytes().length);
                    extra.computeIfAbsent(ExtraKey.unescape(escaped.toLowerCase(Locale.ROOT)), _ -> new ArrayList<>())
                            .add(text(headers.value(i)));
                }
            }
        }
        return extra;
    }

    /** Header values are bytes, and names of users are UTF-8. */
    private static String text(String value) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(value.getBytes(ISO_8859_1)))
                .toString();
    }
}
