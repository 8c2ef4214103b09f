package io.fairlead.schema.cel.library;

import com.google.re2j.Matcher;
import com.google.re2j.PatternSyntaxException;
import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.ListValue;
import io.fairlead.schema.cel.value.Work;
import io.fairlead.schema.text.Patterns;
import java.util.ArrayList;
import java.util.List;

/** Regular expressions of RE2 ({@code matches}, and Kubernetes' {@code find} and {@code findAll}). */
final class RegexFunctions {
    private RegexFunctions() {}

    static void addTo(Registry registry) {
        registry.binary("matches", String.class, String.class, RegexFunctions::matches)
                .binary("find", String.class, String.class, RegexFunctions::find)
                .add("findAll", RegexFunctions::findAll);
    }

    private static Object matches(String text, String pattern, Work work) {
        try {
            return Patterns.matcher(pattern, text, work.effort()).find();
        } catch (PatternSyntaxException e) {
            return new CelError(String.valueOf(e.getDescription()));
        }
    }

    private static Object find(String text, String pattern, Work work) {
        try {
            Matcher matcher = Patterns.matcher(pattern, text, work.effort());
            return matcher.find() ? matcher.group() : "";
        } catch (PatternSyntaxException e) {
            return illegal(e);
        }
    }

    private static Object findAll(Object[] arguments, Work work) {
        if (!(arguments[0] instanceof String text && arguments[1] instanceof String pattern)) {
            return CelError.NO_SUCH_OVERLOAD;
        }
        long limit = arguments.length == 3 ? (Long) arguments[2] : -1;
        List<String> found = new ArrayList<>();
        try {
            Matcher matcher = Patterns.matcher(pattern, text, work.effort());
            while ((limit < 0 || found.size() < limit) && matcher.find()) {
                Patterns.goOn(pattern, text.length() - matcher.end(), work.effort());
                work.makeElements(1);
                work.makeText(matcher.end() - matcher.start());
                found.add(matcher.group());
            }
        } catch (PatternSyntaxException e) {
            return illegal(e);
        }
        return ListValue.of(found);
    }

    private static CelError illegal(PatternSyntaxException e) {
        return new CelError("Illegal regex: " + e.getDescription());
    }
}
