package io.fairlead.gateway.authn;

import io.fairlead.model.UserInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tokens of a file in kube-apiserver's {@code --token-auth-file} format: lines of {@code token,user,uid} with an
 * optional fourth column of groups, quoted if there are several.
 *
 * <p>Tokens are kept and looked up as keyed digests, so that neither a heap dump nor the time of a look-up reveals
 * them.
 */
public final class StaticTokens implements TokenAuthenticator {
    private static final int COLUMNS_MIN = 3;

    private final TokenDigests digests = new TokenDigests();
    private final Map<TokenDigests.Digest, Identity> identities = new HashMap<>();

    private StaticTokens() {}

    /**
     * Reads a token file.
     *
     * @param csv its content
     * @throws IllegalArgumentException naming the line, never its token, if it has too few columns or a quote that does not end
     */
    public static StaticTokens parse(String csv) {
        var tokens = new StaticTokens();
        int number = 0;
        for (String line : csv.split("\r?\n", -1)) {
            number++;
            if (!line.isBlank()) {
                tokens.add(columns(line, number), number);
            }
        }
        return tokens;
    }

    @Override
    public Verdict atOnce(Bearer bearer) {
        Identity identity = identities.get(digests.of(bearer.token()));
        return identity == null ? new Verdict.NotMine("TokenUnknown") : new Verdict.Accepted(identity);
    }

    private void add(List<String> columns, int line) {
        if (columns.size() < COLUMNS_MIN
                || columns.getFirst().isEmpty()
                || columns.get(1).isEmpty()) {
            throw new IllegalArgumentException("token file, line " + line + ": " + columns.size()
                    + (columns.size() == 1 ? " column" : " columns")
                    + " (expected token,user,uid and optionally \"group1,group2\", with a token and a user)");
        }
        List<String> groups = columns.size() > COLUMNS_MIN ? groups(columns.get(COLUMNS_MIN)) : List.of();
        var user = new UserInfo(columns.get(1), columns.get(2), groups, Map.of());
        identities.put(digests.of(columns.getFirst()), Authentication.withAuthenticated(new Identity.OfGateway(user)));
    }

    private static List<String> groups(String column) {
        var groups = new ArrayList<String>();
        for (String group : column.split(",", -1)) {
            if (!group.isBlank()) {
                groups.add(group.strip());
            }
        }
        return groups;
    }

    /** Splits a line of CSV (RFC 4180 section 2), leading white space of a column left out. */
    private static List<String> columns(String line, int number) {
        var columns = new ArrayList<String>();
        var column = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quoted && c == '"' && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                column.append(c);
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                columns.add(column.toString().strip());
                column.setLength(0);
            } else {
                column.append(c);
            }
        }
        if (quoted) {
            throw new IllegalArgumentException(
                    "token file, line " + number + ": a quoted column does not end (expected \"group1,group2\")");
        }
        columns.add(column.toString().strip());
        return columns;
    }
}
