package io.fairlead.schema.cel.library;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The types of all functions beyond CEL's standard ones, for the type checker. Each of Kubernetes' with the version that brought it. */
public final class Signatures {
    /** Overload, receiver, name, parameters, result. A {@code *} is each type that can be ordered, a {@code +} each that can be added. */
    private static final String TABLE = """
        # 1.23: kubernetes.lists, kubernetes.regex, kubernetes.urls, and strings of version 0
        list_*_is_sorted_bool           list(*)    isSorted             -                 bool
        list_+_sum_+                    list(+)    sum                  -                 +
        list_*_max_*                    list(*)    max                  -                 *
        list_*_min_*                    list(*)    min                  -                 *
        list_a_index_of_int             list(A)    indexOf              A                 int
        list_a_last_index_of_int        list(A)    lastIndexOf          A                 int
        string_find_string              string     find                 string            string
        string_find_all_string          string     findAll              string            list(string)
        string_find_all_string_int      string     findAll              string,int        list(string)
        string_to_url                   -          url                  string            url
        url_get_scheme                  url        getScheme            -                 string
        url_get_host                    url        getHost              -                 string
        url_get_hostname                url        getHostname          -                 string
        url_get_port                    url        getPort              -                 string
        url_get_escaped_path            url        getEscapedPath       -                 string
        url_get_query                   url        getQuery             -                 map(string,list(string))
        is_url_string                   -          isURL                string            bool
        string_char_at_int              string     charAt               int               string
        string_index_of_string          string     indexOf              string            int
        string_index_of_string_int      string     indexOf              string,int        int
        string_last_index_of_string     string     lastIndexOf          string            int
        string_last_index_of_string_int string     lastIndexOf          string,int        int
        string_lower_ascii              string     lowerAscii           -                 string
        string_upper_ascii              string     upperAscii           -                 string
        string_replace_string_string    string     replace              string,string     string
        string_replace_string_string_int string    replace              string,string,int string
        string_split_string             string     split                string            list(string)
        string_split_string_int         string     split                string,int        list(string)
        string_substring_int            string     substring            int               string
        string_substring_int_int        string     substring            int,int           string
        string_trim                     string     trim                 -                 string
        list_join                       list(string) join               -                 string
        list_join_string                list(string) join               string            string
        # 1.28: optional types, quantities
        optional_of                     -          optional.of          V                 optional(V)
        optional_ofNonZeroValue         -          optional.ofNonZeroValue V              optional(V)
        optional_none                   -          optional.none        -                 optional(V)
        optional_value                  optional(V) value               -                 V
        optional_hasValue               optional(V) hasValue            -                 bool
        optional_or_optional            optional(V) or                  optional(V)       optional(V)
        optional_orValue_value          optional(V) orValue             V                 V
        select_optional_field           -          _?._                 dyn,string        optional(V)
        list_optindex_optional_int      -          _[?_]                list(V),int       optional(V)
        optional_list_optindex_optional_int -      _[?_]                optional(list(V)),int optional(V)
        map_optindex_optional_value     -          _[?_]                map(K,V),K        optional(V)
        optional_map_optindex_optional_value -     _[?_]                optional(map(K,V)),K optional(V)
        optional_list_index_int         -          _[_]                 optional(list(V)),int optional(V)
        optional_map_index_value        -          _[_]                 optional(map(K,V)),K optional(V)
        list_last                       list(V)    last                 -                 optional(V)
        list_first                      list(V)    first                -                 optional(V)
        optional_unwrap                 -          optional.unwrap      list(optional(V)) list(V)
        optional_unwrapOpt              list(optional(V)) unwrapOpt     -                 list(V)
        string_to_quantity              -          quantity             string            quantity
        is_quantity_string              -          isQuantity           string            bool
        quantity_sign                   -          sign                 quantity          int
        quantity_is_greater_than        quantity   isGreaterThan        quantity          bool
        quantity_is_less_than           quantity   isLessThan           quantity          bool
        quantity_compare_to             quantity   compareTo            quantity          int
        quantity_get_float              quantity   asApproximateFloat   -                 double
        quantity_get_int                quantity   asInteger            -                 int
        quantity_is_integer             quantity   isInteger            -                 bool
        quantity_add                    quantity   add                  quantity          quantity
        quantity_add_int                quantity   add                  int               quantity
        quantity_sub                    quantity   sub                  quantity          quantity
        quantity_sub_int                quantity   sub                  int               quantity
        # 1.29: strings of version 2, sets
        string_format                   string     format               list(dyn)         string
        strings_quote                   -          strings.quote        string            string
        list_sets_contains_list         -          sets.contains        list(T),list(T)   bool
        list_sets_equivalent_list       -          sets.equivalent      list(T),list(T)   bool
        list_sets_intersects_list       -          sets.intersects      list(T),list(T)   bool
        # 1.30: addresses and networks
        string_to_ip                    -          ip                   string            ip
        is_ip                           -          isIP                 string            bool
        ip_is_canonical                 -          ip.isCanonical       string            bool
        ip_family                       ip         family               -                 int
        ip_is_unspecified               ip         isUnspecified        -                 bool
        ip_is_loopback                  ip         isLoopback           -                 bool
        ip_is_link_local_multicast      ip         isLinkLocalMulticast -                 bool
        ip_is_link_local_unicast        ip         isLinkLocalUnicast   -                 bool
        ip_is_global_unicast            ip         isGlobalUnicast      -                 bool
        ip_to_string                    -          string               ip                string
        string_to_cidr                  -          cidr                 string            cidr
        is_cidr                         -          isCIDR               string            bool
        cidr_contains_ip_string         cidr       containsIP           string            bool
        cidr_contains_ip_ip             cidr       containsIP           ip                bool
        cidr_contains_cidr_string       cidr       containsCIDR         string            bool
        cidr_contains_cidr              cidr       containsCIDR         cidr              bool
        cidr_ip                         cidr       ip                   -                 ip
        cidr_prefix_length              cidr       prefixLength         -                 int
        cidr_masked                     cidr       masked               -                 cidr
        cidr_to_string                  -          string               cidr              string
        # 1.31: named formats; each format is added to them
        format-validate                 format     validate             string            optional(list(string))
        format-named                    -          format.named         string            optional(format)
        # 1.32: comprehensions of two variables
        @mapInsert_map_key_value        -          cel.@mapInsert       map(K,V),K,V      map(K,V)
        @mapInsert_map_map              -          cel.@mapInsert       map(K,V),map(K,V) map(K,V)
        # 1.33: semantic versions
        string_to_semver                -          semver               string            semver
        string_bool_to_semver           -          semver               string,bool       semver
        is_semver_string                -          isSemver             string            bool
        is_semver_string_bool           -          isSemver             string,bool       bool
        semver_is_greater_than          semver     isGreaterThan        semver            bool
        semver_is_less_than             semver     isLessThan           semver            bool
        semver_compare_to               semver     compareTo            semver            int
        semver_major                    semver     major                -                 int
        semver_minor                    semver     minor                -                 int
        semver_patch                    semver     patch                -                 int
        # 1.34: lists of version 3
        list_slice                      list(T)    slice                int,int           list(T)
        list_flatten                    list(list(T)) flatten           -                 list(T)
        list_flatten_int                list(dyn)  flatten              int               list(dyn)
        list_*_sort                     list(*)    sort                 -                 list(*)
        list_*_sortByAssociatedKeys     list(T)    @sortByAssociatedKeys list(*)          list(T)
        lists_range                     -          lists.range          int               list(int)
        list_reverse                    list(T)    reverse              -                 list(T)
        list_distinct                   list(T)    distinct             -                 list(T)
        """;

    /** As {@link #TABLE}, of the functions that Kubernetes does not have. */
    private static final String KEYS = """
        dyn_selector_of_string          -          selectorOf           dyn               string
        string_host_of_string           -          hostOf               string            string
        string_quantity_of_string       -          quantityOf           string            string
        int_quantity_of_string          -          quantityOf           int               string
        double_quantity_of_string       -          quantityOf           double            string
        """;

    private static final Pattern COLUMNS = Pattern.compile(" +");
    private static final List<String> ORDERED =
            List.of("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes");
    private static final List<String> SUMMABLE = List.of("int", "uint", "double", "duration");

    private static final Map<String, CelType> TYPES = Map.ofEntries(
            Map.entry("bool", SimpleType.BOOL),
            Map.entry("bytes", SimpleType.BYTES),
            Map.entry("double", SimpleType.DOUBLE),
            Map.entry("duration", SimpleType.DURATION),
            Map.entry("dyn", SimpleType.DYN),
            Map.entry("int", SimpleType.INT),
            Map.entry("string", SimpleType.STRING),
            Map.entry("timestamp", SimpleType.TIMESTAMP),
            Map.entry("uint", SimpleType.UINT),
            Map.entry("url", OpaqueType.create("kubernetes.URL")),
            Map.entry("quantity", OpaqueType.create("kubernetes.Quantity")),
            Map.entry("format", OpaqueType.create("kubernetes.NamedFormat")),
            Map.entry("semver", OpaqueType.create("kubernetes.Semver")),
            Map.entry("ip", OpaqueType.create("net.IP")),
            Map.entry("cidr", OpaqueType.create("net.CIDR")));

    private Signatures() {}

    /** The declarations of Kubernetes' functions. */
    public static List<CelFunctionDecl> all() {
        Map<String, List<CelOverloadDecl>> byName = new LinkedHashMap<>();
        TABLE.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            List<String> each = line.contains("*") ? ORDERED : line.contains("+") ? SUMMABLE : List.of("");
            each.forEach(type -> add(line.replace("*", type).replace("+", type), byName));
        });
        for (String format : NamedFormat.names()) {
            add("format." + format + " - format." + format + " - format", byName);
        }
        return declarations(byName);
    }

    /** The declarations of {@link KeyFunctions}. */
    public static List<CelFunctionDecl> ofKeys() {
        Map<String, List<CelOverloadDecl>> byName = new LinkedHashMap<>();
        KEYS.lines().forEach(line -> add(line, byName));
        return declarations(byName);
    }

    private static List<CelFunctionDecl> declarations(Map<String, List<CelOverloadDecl>> byName) {
        List<CelFunctionDecl> functions = new ArrayList<>();
        byName.forEach((name, overloads) -> functions.add(CelFunctionDecl.newFunctionDeclaration(name, overloads)));
        return functions;
    }

    private static void add(String line, Map<String, List<CelOverloadDecl>> byName) {
        List<String> columns = List.of(COLUMNS.split(line, -1));
        boolean member = !columns.get(1).equals("-");
        List<CelType> parameters = new ArrayList<>();
        if (member) {
            parameters.add(type(columns.get(1)));
        }
        if (!columns.get(3).equals("-")) {
            split(columns.get(3)).forEach(parameter -> parameters.add(type(parameter)));
        }
        CelType result = type(columns.get(4));
        byName.computeIfAbsent(columns.get(2), _ -> new ArrayList<>())
                .add(
                        member
                                ? CelOverloadDecl.newMemberOverload(columns.get(0), result, parameters)
                                : CelOverloadDecl.newGlobalOverload(columns.get(0), result, parameters));
    }

    private static CelType type(String text) {
        int open = text.indexOf('(');
        if (open < 0) {
            CelType known = TYPES.get(text);
            return known == null ? TypeParamType.create(text) : known;
        }
        List<CelType> inner = split(text.substring(open + 1, text.length() - 1)).stream()
                .map(Signatures::type)
                .toList();
        return switch (text.substring(0, open)) {
            case "list" -> ListType.create(inner.getFirst());
            case "map" -> MapType.create(inner.getFirst(), inner.getLast());
            default -> OptionalType.create(inner.getFirst());
        };
    }

    /** The parts between the outermost commas. */
    private static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            switch (text.charAt(i)) {
                case '(' -> depth++;
                case ')' -> depth--;
                case ',' -> {
                    if (depth == 0) {
                        parts.add(text.substring(from, i));
                        from = i + 1;
                    }
                }
                default -> {}
            }
        }
        parts.add(text.substring(from));
        return parts;
    }
}
