package io.fairlead.cli.print;

import io.fairlead.model.Visible;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A table as kubectl prints it: headers in upper case, columns of minimal width, three spaces between them. Control
 * sequences are escaped.
 */
public final class Table {
    private static final int GAP = 3;

    private Table() {}

    static <T> void print(PrintWriter out, List<T> items, List<Column<T>> columns) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(columns.stream().map(Column::header).toList());
        for (T item : items) {
            rows.add(columns.stream()
                    .map(column -> Visible.printable(column.value().apply(item)))
                    .toList());
        }
        int[] widths = new int[columns.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        rows.forEach(row -> out.println(line(row, widths)));
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
            line.append(row.get(i));
            if (i + 1 < row.size()) {
                line.repeat(' ', widths[i] + GAP - row.get(i).length());
            }
        }
        return line.toString();
    }

    /**
     * One column.
     *
     * @param header the header
     * @param value an item's cell
     */
    public record Column<T>(String header, Function<T, String> value) {}
}
