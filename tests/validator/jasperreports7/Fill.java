import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sf.jasperreports.engine.*;
import net.sf.jasperreports.engine.data.JRMapCollectionDataSource;

/** Compiles and fills a template with one empty row, and prints the place and text of what is on its first page. */
public class Fill {
    public static void main(String[] arguments) throws Exception {
        JasperReport report = JasperCompileManager.compileReport(arguments[0]);
        Map<String, ?> row = new HashMap<>();
        JasperPrint print = JasperFillManager.fillReport(
            report, new HashMap<>(), new JRMapCollectionDataSource(List.of(row)));
        show(print.getPages().get(0).getElements(), 0, 0);
    }

    private static void show(List<JRPrintElement> elements, int left, int top) {
        for (JRPrintElement element : elements) {
            int x = left + element.getX(), y = top + element.getY();
            if (element instanceof JRPrintText text && text.getFullText() != null && !text.getFullText().isEmpty())
                System.out.println("text " + x + " " + y + " " + text.getFullText());
            if (element instanceof JRPrintFrame frame) show(frame.getElements(), x, y);
        }
    }
}
