package io.fairlead.gateway.frontproxy;

import io.fairlead.credentials.Subject;
import io.fairlead.fleet.publication.RequestHeaders;
import io.fairlead.gateway.chains.ClientCa;
import io.fairlead.http.MutableFields;
import io.fairlead.model.UserInfo;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The front proxies of one CA (Kubernetes' documentation of authentication, "Authenticating proxy"). Any thread. */
public final class FrontProxy {
    private final ClientCa ca;
    private final List<String> allowedNames;
    private final UserHeaders userHeaders;

    /** @throws IllegalArgumentException if its CA cannot be read, or a header of it cannot be one */
    public FrontProxy(RequestHeaders trusted) {
        this.ca = ClientCa.of(trusted.clientCa());
        this.allowedNames = trusted.allowedNames();
        this.userHeaders = new UserHeaders(trusted);
    }

    /** Whether its CA signed a chain, valid now and for clients. */
    public boolean isSigned(List<X509Certificate> chain) {
        try {
            ca.verify(chain);
            return true;
        } catch (CertificateException e) {
            return false;
        }
    }

    /** Whether a front proxy may have the name in a certificate. */
    public boolean isAllowed(X509Certificate leaf) {
        return allowedNames.isEmpty() || allowedNames.contains(Subject.of(leaf).commonName());
    }

    /** The user that the front proxy names, whose headers are removed; null if it names none. */
    public @Nullable UserInfo takeUser(MutableFields headers) {
        return userHeaders.take(headers);
    }
}
