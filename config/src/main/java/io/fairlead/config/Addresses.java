package io.fairlead.config;

import java.net.InetAddress;

/** Literal addresses, read without asking a name server. */
final class Addresses {
    private Addresses() {}

    static boolean isLoopback(String host) {
        if (host.equals("localhost")) {
            return true;
        }
        try {
            return InetAddress.ofLiteral(host).isLoopbackAddress();
        } catch (IllegalArgumentException notLiteral) {
            return false;
        }
    }

    static boolean isLiteral(String host) {
        try {
            InetAddress.ofLiteral(host);
            return true;
        } catch (IllegalArgumentException notLiteral) {
            return false;
        }
    }

    /** Whether the text is an address block ({@code 10.0.0.0/8}). */
    static boolean isCidr(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || !isLiteral(text.substring(0, slash))) {
            return false;
        }
        try {
            int bits = Integer.parseInt(text.substring(slash + 1));
            return bits >= 0
                    && bits
                            <= 8
                                    * InetAddress.ofLiteral(text.substring(0, slash))
                                            .getAddress()
                                            .length;
        } catch (NumberFormatException notNumber) {
            return false;
        }
    }
}
