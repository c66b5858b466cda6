import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.*;
import net.sf.jasperreports.engine.*;
import net.sf.jasperreports.engine.data.JRMapCollectionDataSource;

/** Fills report.jrxml with the parameters and rows of data.json, and writes report.pdf. */
public class FillReport {
    private static final ObjectMapper JSON = new ObjectMapper().setTimeZone(TimeZone.getDefault());

    public static void main(String[] arguments) throws Exception {
        Locale.setDefault(Locale.US);  // numbers as they were checked; data.json may name another REPORT_LOCALE
        JasperReport report = JasperCompileManager.compileReport("report.jrxml");
        JsonNode data = JSON.readTree(new File("data.json"));
        Map<String, Object> parameters = parameters(report, data.path("parameters"));
        List<Map<String, ?>> rows = new ArrayList<>();
        for (JsonNode row : data.path("rows")) rows.add(fields(report, row));
        JRDataSource source = rows.isEmpty() ? new JREmptyDataSource() : new JRMapCollectionDataSource(rows);
        JasperPrint print = JasperFillManager.fillReport(report, parameters, source);
        JasperExportManager.exportReportToPdfFile(print, "report.pdf");
    }

    private static Map<String, Object> parameters(JasperReport report, JsonNode given) {
        Map<String, Object> values = new HashMap<>();
        for (JRParameter parameter : report.getParameters())
            if (!parameter.isSystemDefined() && given.has(parameter.getName()))
                values.put(parameter.getName(), value(given.get(parameter.getName()), parameter.getValueClass()));
        String locale = given.path("REPORT_LOCALE").asText();
        if (!locale.isEmpty()) values.put("REPORT_LOCALE", Locale.forLanguageTag(locale.replace('_', '-')));
        return values;
    }

    private static Map<String, ?> fields(JasperReport report, JsonNode row) {
        Map<String, Object> values = new HashMap<>();
        JRField[] fields = report.getFields();
        for (JRField field : fields == null ? new JRField[0] : fields)
            values.put(field.getName(), value(row.get(field.getName()), field.getValueClass()));
        return values;
    }

    /** Converts a value of JSON, where dates are texts, to the class that the report declares. */
    private static Object value(JsonNode raw, Class<?> type) {
        if (raw == null || raw.isNull()) return null;
        if (type == LocalDate.class) return LocalDate.parse(raw.asText().substring(0, 10));
        if (type == LocalDateTime.class) return LocalDateTime.parse(raw.asText().replace(' ', 'T'));
        boolean isDate = Date.class.isAssignableFrom(type);
        return JSON.convertValue(isDate ? raw.asText().replace(' ', 'T') : raw, type);
    }
}
