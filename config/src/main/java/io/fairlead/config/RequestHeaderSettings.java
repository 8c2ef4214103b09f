package io.fairlead.config;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Front proxies that name the users of their requests, by kube-apiserver's flags {@code --requestheader-*}. */
public record RequestHeaderSettings(
        @Setting(meaning = "PEM certificates of the CAs that sign front proxies; none of them may sign clients as well")
        @Nullable
        Path clientCaFile,

        @Setting(meaning = "common names that the certificate of a front proxy may have; any where empty")
        List<String> allowedNames,

        @Setting(value = "X-Remote-User", meaning = "headers that name the user; the first that is not empty counts")
        List<String> usernameHeaders,

        @Setting(value = "X-Remote-Uid", meaning = "headers with the user's uid; the first that is not empty counts")
        List<String> uidHeaders,

        @Setting(value = "X-Remote-Group", meaning = "headers with the user's groups")
        List<String> groupHeaders,

        @Setting(
                value = "X-Remote-Extra-",
                meaning = "what the names of headers with further attributes of the user begin with")
        List<String> extraHeadersPrefix) {
    public RequestHeaderSettings {
        allowedNames = List.copyOf(allowedNames);
        usernameHeaders = List.copyOf(usernameHeaders);
        uidHeaders = List.copyOf(uidHeaders);
        groupHeaders = List.copyOf(groupHeaders);
        extraHeadersPrefix = List.copyOf(extraHeadersPrefix);
    }
}
