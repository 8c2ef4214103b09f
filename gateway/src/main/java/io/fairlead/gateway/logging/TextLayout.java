package io.fairlead.gateway.logging;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import io.fairlead.model.Visible;

/**
 * A log line for people. Foreign text in it - a name in a certificate, a header, a path - can neither begin another
 * line nor control a terminal: unprintable characters are escaped.
 */
final class TextLayout extends LayoutBase<ILoggingEvent> {
    private static final String PATTERN = "%d{HH:mm:ss.SSS} %-5level %logger{0}: %msg%replace( %kvp){'^ $', ''}%nopex";
    private static final String CONTINUED = "\t";

    private final PatternLayout line = new PatternLayout();

    TextLayout(LoggerContext context) {
        setContext(context);
        line.setContext(context);
        line.setPattern(PATTERN);
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        StringBuilder text =
                new StringBuilder(Visible.printable(line().doLayout(event))).append(System.lineSeparator());
        IThrowableProxy thrown = event.getThrowableProxy();
        if (thrown != null) {
            // The message of an exception may have several lines; none of them must look like a log line.
            ThrowableProxyUtil.asString(thrown)
                    .lines()
                    .forEach(one -> text.append(CONTINUED)
                            .append(Visible.printable(one.strip()))
                            .append(System.lineSeparator()));
        }
        return text.toString();
    }

    /** Begun with the first line: local time has the JDK search all jars for rules of time zones, which a start need not wait for. */
    private synchronized PatternLayout line() {
        if (!line.isStarted()) {
            line.start();
        }
        return line;
    }
}
