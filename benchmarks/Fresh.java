import java.io.File;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import javax.imageio.ImageIO;
import net.sf.jasperreports.engine.JasperCompileManager;
import net.sf.jasperreports.engine.JasperExportManager;
import net.sf.jasperreports.engine.JasperFillManager;
import net.sf.jasperreports.engine.JasperPrint;
import net.sf.jasperreports.engine.JasperPrintManager;
import net.sf.jasperreports.engine.data.JRMapCollectionDataSource;

/** What a program without a warm engine does for each template: start Java, compile, fill, draw, write the PDF. */
public class Fresh {
    public static void main(String[] args) throws Exception {
        Collection<Map<String, ?>> rows = new ArrayList<>();
        for (int row = 0; row < Integer.parseInt(args[2]); row++) {
            Map<String, Object> values = new HashMap<>();
            values.put("item", "Item " + row);
            values.put("count", row);
            values.put("price", new BigDecimal("12.50"));
            rows.add(values);
        }
        JasperPrint filled = JasperFillManager.fillReport(
            JasperCompileManager.compileReport(args[0]), new HashMap<>(), new JRMapCollectionDataSource(rows));
        ImageIO.write((java.awt.image.RenderedImage) JasperPrintManager.printPageToImage(filled, 0, 150f / 72f),
            "png", new File(args[1]));
        JasperExportManager.exportReportToPdfFile(filled, args[1] + ".pdf");
    }
}
