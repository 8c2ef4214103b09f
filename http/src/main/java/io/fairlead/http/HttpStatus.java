package io.fairlead.http;

/** Status codes of answers with a meaning here (RFC 9110 section 15), and the phrases that HTTP/1.1 shows with them. */
public final class HttpStatus {
    public static final int SWITCHING_PROTOCOLS = 101;
    public static final int OK = 200;
    public static final int NO_CONTENT = 204;
    public static final int NOT_MODIFIED = 304;

    private HttpStatus() {}

    /** Whether another answer to the same request follows. */
    public static boolean isInterim(int status) {
        return status < OK;
    }

    /** Whether no answer with it has a body, whatever the request was. */
    public static boolean hasNoBody(int status) {
        return status < OK || status == NO_CONTENT || status == NOT_MODIFIED;
    }

    /** For people; no client may go by it (RFC 9112 section 4). */
    public static String reason(int status) {
        return switch (status) {
            case 100 -> "Continue";
            case SWITCHING_PROTOCOLS -> "Switching Protocols";
            case 102 -> "Processing";
            case 103 -> "Early Hints";
            case OK -> "OK";
            case 201 -> "Created";
            case 202 -> "Accepted";
            case 203 -> "Non-Authoritative Information";
            case NO_CONTENT -> "No Content";
            case 205 -> "Reset Content";
            case 206 -> "Partial Content";
            case 207 -> "Multi-Status";
            case 300 -> "Multiple Choices";
            case 301 -> "Moved Permanently";
            case 302 -> "Found";
            case 303 -> "See Other";
            case NOT_MODIFIED -> "Not Modified";
            case 305 -> "Use Proxy";
            case 307 -> "Temporary Redirect";
            case 308 -> "Permanent Redirect";
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 402 -> "Payment Required";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 406 -> "Not Acceptable";
            case 407 -> "Proxy Authentication Required";
            case 408 -> "Request Timeout";
            case 409 -> "Conflict";
            case 410 -> "Gone";
            case 411 -> "Length Required";
            case 412 -> "Precondition Failed";
            case 413 -> "Request Entity Too Large";
            case 414 -> "Request-URI Too Long";
            case 415 -> "Unsupported Media Type";
            case 416 -> "Requested Range Not Satisfiable";
            case 417 -> "Expectation Failed";
            case 421 -> "Misdirected Request";
            case 422 -> "Unprocessable Entity";
            case 423 -> "Locked";
            case 424 -> "Failed Dependency";
            case 425 -> "Unordered Collection";
            case 426 -> "Upgrade Required";
            case 428 -> "Precondition Required";
            case 429 -> "Too Many Requests";
            case 431 -> "Request Header Fields Too Large";
            case 500 -> "Internal Server Error";
            case 501 -> "Not Implemented";
            case 502 -> "Bad Gateway";
            case 503 -> "Service Unavailable";
            case 504 -> "Gateway Timeout";
            case 505 -> "HTTP Version Not Supported";
            case 506 -> "Variant Also Negotiates";
            case 507 -> "Insufficient Storage";
            case 510 -> "Not Extended";
            case 511 -> "Network Authentication Required";
            default -> ofClass(status / 100) + " (" + status + ")";
        };
    }

    private static String ofClass(int hundreds) {
        return switch (hundreds) {
            case 1 -> "Informational";
            case 2 -> "Success";
            case 3 -> "Redirection";
            case 4 -> "Client Error";
            case 5 -> "Server Error";
            default -> "Unknown Status";
        };
    }
}
