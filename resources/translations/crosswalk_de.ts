<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>crosswalk::ui::AboutDialog</name>
    <message>
        <source>not found</source>
        <translation>nicht gefunden</translation>
    </message>
    <message>
        <source>About Crosswalk</source>
        <translation>Über Crosswalk</translation>
    </message>
    <message>
        <source>Crosswalk %1</source>
        <translation>Crosswalk %1</translation>
    </message>
    <message>
        <source>Inspects neural-network models and converts them to ONNX, node by node and never silently wrong. Everything happens on this machine: nothing is sent anywhere.</source>
        <translation>Untersucht Modelle neuronaler Netze und wandelt sie nach ONNX um, Knoten für Knoten und nie stillschweigend falsch. Alles geschieht auf diesem Rechner: Nichts wird irgendwohin gesendet.</translation>
    </message>
    <message>
        <source>Qt %1, ONNX opsets %2 to %3, ONNX Runtime %4</source>
        <translation>Qt %1, ONNX-Opsets %2 bis %3, ONNX Runtime %4</translation>
    </message>
    <message>
        <source>Crosswalk is free software under the %1. It uses:</source>
        <translation>Crosswalk ist freie Software unter der %1. Es verwendet:</translation>
    </message>
    <message>
        <source>Copy the versions</source>
        <translation>Versionen kopieren</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::Banner</name>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>What to do about it</source>
        <translation>Was zu tun ist</translation>
    </message>
    <message>
        <source>Close the message</source>
        <translation>Meldung schließen</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::BodyController</name>
    <message>
        <source>Open the &amp;body in a tab</source>
        <translation>&amp;Rumpf in einem Tab öffnen</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::BottomArea</name>
    <message>
        <source>Collapse or expand the panels (Ctrl+J)</source>
        <translation>Bereiche ein- oder ausklappen (Strg+J)</translation>
    </message>
    <message>
        <source>Float the panel</source>
        <translation>Bereich abdocken</translation>
    </message>
    <message>
        <source>Close the panel</source>
        <translation>Bereich schließen</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::BoxColours</name>
    <message>
        <source>Colouring the graphs</source>
        <translation>Färben der Graphen</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::ChannelsModel</name>
    <message>
        <source>Channel</source>
        <translation>Kanal</translation>
    </message>
    <message>
        <source>Minimum</source>
        <translation>Minimum</translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation>Maximum</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittelwert</translation>
    </message>
    <message>
        <source>Deviation</source>
        <translation>Abweichung</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>Nullen</translation>
    </message>
    <message>
        <source>Not finite</source>
        <translation>Nicht endlich</translation>
    </message>
    <message>
        <source>Outliers</source>
        <translation>Ausreißer</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::ClosableTabs</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close the tab</source>
        <translation>Tab schließen</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::CollectionTable</name>
    <message numerus="yes">
        <source>%L1 (%Ln models)</source>
        <translation>
            <numerusform>%L1 (%Ln Modell)</numerusform>
            <numerusform>%L1 (%Ln Modelle)</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, and %2 of weights in %3</source>
        <translation>%1, dazu %2 an Gewichten in %3</translation>
    </message>
    <message>
        <source>Converted to %1</source>
        <translation>Umgewandelt in %1</translation>
    </message>
    <message>
        <source>These models differ in their weights only</source>
        <translation>Diese Modelle unterscheiden sich nur in den Gewichten</translation>
    </message>
    <message>
        <source>Memory: %1</source>
        <translation>Speicher: %1</translation>
    </message>
    <message>
        <source>Groups of models whose graphs are equal up to the weights</source>
        <translation>Gruppen von Modellen, deren Graphen bis auf die Gewichte gleich sind</translation>
    </message>
    <message>
        <source>With the weights file</source>
        <translation>Mit der Gewichtsdatei</translation>
    </message>
    <message>
        <source>Time of the process that checked or converted the model</source>
        <translation>Zeit des Prozesses, der das Modell geprüft oder umgewandelt hat</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>Architektur</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::CollectionWindow</name>
    <message>
        <source>%L1 s</source>
        <translation>%L1 s</translation>
    </message>
    <message>
        <source>%L1 min</source>
        <translation>%L1 min</translation>
    </message>
    <message>
        <source>%L1 h</source>
        <translation>%L1 h</translation>
    </message>
    <message>
        <source>Collection — Crosswalk</source>
        <translation>Sammlung — Crosswalk</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Choose a folder…</source>
        <translation>&amp;Ordner wählen…</translation>
    </message>
    <message>
        <source>Save a &amp;report…</source>
        <translation>&amp;Bericht speichern…</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>&amp;Schließen</translation>
    </message>
    <message>
        <source>&amp;Models</source>
        <translation>&amp;Modelle</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>Ö&amp;ffnen</translation>
    </message>
    <message>
        <source>Show in the &amp;file manager</source>
        <translation>Im &amp;Dateimanager zeigen</translation>
    </message>
    <message>
        <source>&amp;Copy the path</source>
        <translation>&amp;Pfad kopieren</translation>
    </message>
    <message>
        <source>Con&amp;vert all…</source>
        <translation>Alle &amp;umwandeln…</translation>
    </message>
    <message>
        <source>Check all &amp;again</source>
        <translation>Alle &amp;neu prüfen</translation>
    </message>
    <message>
        <source>Check the &amp;remaining models</source>
        <translation>Die &amp;übrigen Modelle prüfen</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Filter</source>
        <translation>F&amp;iltern</translation>
    </message>
    <message>
        <source>Only models of the &amp;same architecture</source>
        <translation>Nur Modelle der &amp;gleichen Architektur</translation>
    </message>
    <message>
        <source>Convert all…</source>
        <translation>Alle umwandeln…</translation>
    </message>
    <message>
        <source>Save a report…</source>
        <translation>Bericht speichern…</translation>
    </message>
    <message>
        <source>Filter the models</source>
        <translation>Modelle filtern</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filtern</translation>
    </message>
    <message>
        <source>Filter by name, format, verdict or problem: onnx resnet, crashed</source>
        <translation>Nach Name, Format, Ergebnis oder Problem filtern: onnx resnet, abgestürzt</translation>
    </message>
    <message>
        <source>Filter by verdict</source>
        <translation>Nach Ergebnis filtern</translation>
    </message>
    <message>
        <source>Filter by what blocks the conversion</source>
        <translation>Danach filtern, was die Umwandlung verhindert</translation>
    </message>
    <message>
        <source>What blocks conversions, by the number of models</source>
        <translation>Was Umwandlungen verhindert, nach der Zahl der Modelle</translation>
    </message>
    <message>
        <source>Number of models</source>
        <translation>Zahl der Modelle</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>Ordner wählen…</translation>
    </message>
    <message>
        <source>Problems of the selected model</source>
        <translation>Probleme des ausgewählten Modells</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel (Ctrl+.)</source>
        <translation>Abbrechen (Strg+.)</translation>
    </message>
    <message>
        <source>%1 — Collection — Crosswalk</source>
        <translation>%1 — Sammlung — Crosswalk</translation>
    </message>
    <message>
        <source>Models cannot be checked: the program crosswalk is neither beside crosswalk-gui nor on PATH. Install it, then check again. Single models can be opened without it.</source>
        <translation>Modelle lassen sich nicht prüfen: Das Programm crosswalk ist weder neben crosswalk-gui noch in PATH. Installieren Sie es und prüfen Sie erneut. Einzelne Modelle lassen sich auch ohne es öffnen.</translation>
    </message>
    <message numerus="yes">
        <source>Converted %L1 of %Ln models into %2</source>
        <translation>
            <numerusform>%L1 von %Ln Modell in %2 umgewandelt</numerusform>
            <numerusform>%L1 von %Ln Modellen in %2 umgewandelt</numerusform>
        </translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Im Ordner zeigen</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>Pfad kopieren</translation>
    </message>
    <message>
        <source>Collection</source>
        <translation>Sammlung</translation>
    </message>
    <message>
        <source>Open a folder as a collection</source>
        <translation>Ordner als Sammlung öffnen</translation>
    </message>
    <message>
        <source>Choose the folder of the ONNX files</source>
        <translation>Ordner für die ONNX-Dateien wählen</translation>
    </message>
    <message>
        <source>Replace files</source>
        <translation>Dateien ersetzen</translation>
    </message>
    <message>
        <source>1 file already exists. Replace it?</source>
        <translation>1 Datei gibt es schon. Ersetzen?</translation>
    </message>
    <message numerus="yes">
        <source>%Ln files already exist. Replace them?</source>
        <translation>
            <numerusform>%Ln Datei gibt es schon. Ersetzen?</numerusform>
            <numerusform>%Ln Dateien gibt es schon. Ersetzen?</numerusform>
        </translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Save a report of the collection</source>
        <translation>Bericht über die Sammlung speichern</translation>
    </message>
    <message>
        <source>Web page (*.html);;JSON (*.json)</source>
        <translation>Webseite (*.html);;JSON (*.json)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>All verdicts</source>
        <translation>Alle Ergebnisse</translation>
    </message>
    <message>
        <source>%1 (%L2)</source>
        <translation>%1 (%L2)</translation>
    </message>
    <message>
        <source>All reasons</source>
        <translation>Alle Gründe</translation>
    </message>
    <message>
        <source>%L1: %2</source>
        <translation>%L1: %2</translation>
    </message>
    <message>
        <source>1 model</source>
        <translation>1 Modell</translation>
    </message>
    <message numerus="yes">
        <source>%Ln models</source>
        <translation>
            <numerusform>%Ln Modell</numerusform>
            <numerusform>%Ln Modelle</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%L1 of %Ln models</source>
        <translation>
            <numerusform>%L1 von %Ln Modell</numerusform>
            <numerusform>%L1 von %Ln Modellen</numerusform>
        </translation>
    </message>
    <message>
        <source>Searching for models…</source>
        <translation>Modelle werden gesucht…</translation>
    </message>
    <message>
        <source>No model matches.</source>
        <translation>Kein Modell passt.</translation>
    </message>
    <message>
        <source>%1 contains no models, and neither do its subfolders.</source>
        <translation>%1 enthält keine Modelle, auch nicht in Unterordnern.</translation>
    </message>
    <message>
        <source>Searching for models</source>
        <translation>Modelle werden gesucht</translation>
    </message>
    <message numerus="yes">
        <source>Converted %L1 of %Ln models</source>
        <translation>
            <numerusform>%L1 von %Ln Modell umgewandelt</numerusform>
            <numerusform>%L1 von %Ln Modellen umgewandelt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Checked %L1 of %Ln models</source>
        <translation>
            <numerusform>%L1 von %Ln Modell geprüft</numerusform>
            <numerusform>%L1 von %Ln Modellen geprüft</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2 left</source>
        <translation>%1, noch %2</translation>
    </message>
    <message>
        <source>%L1 %2</source>
        <translation>%L1 %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln models selected</source>
        <translation>
            <numerusform>%Ln Modell ausgewählt</numerusform>
            <numerusform>%Ln Modelle ausgewählt</numerusform>
        </translation>
    </message>
    <message>
        <source>1 operator</source>
        <translation>1 Operator</translation>
    </message>
    <message numerus="yes">
        <source>%Ln operators</source>
        <translation>
            <numerusform>%Ln Operator</numerusform>
            <numerusform>%Ln Operatoren</numerusform>
        </translation>
    </message>
    <message>
        <source>converted to %1</source>
        <translation>umgewandelt in %1</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::ColourController</name>
    <message>
        <source>&amp;Colour by</source>
        <translation>&amp;Färben nach</translation>
    </message>
    <message>
        <source>Le&amp;gend of the colours</source>
        <translation>Le&amp;gende der Farben</translation>
    </message>
    <message>
        <source>The latency was not measured: %1.</source>
        <translation>Die Laufzeit wurde nicht gemessen: %1.</translation>
    </message>
    <message>
        <source>recorded inputs</source>
        <translation>aufgezeichnete Eingaben</translation>
    </message>
    <message>
        <source>random inputs</source>
        <translation>zufällige Eingaben</translation>
    </message>
    <message>
        <source>random inputs, %1</source>
        <translation>zufällige Eingaben, %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 per run, the mean of %Ln runs of ONNX Runtime %2 without optimizations, %3</source>
        <translation>
            <numerusform>%1 je Lauf, Mittel aus %Ln Lauf von ONNX Runtime %2 ohne Optimierungen, %3</numerusform>
            <numerusform>%1 je Lauf, Mittel aus %Ln Läufen von ONNX Runtime %2 ohne Optimierungen, %3</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::ColourLegend</name>
    <message>
        <source>Legend of the colours</source>
        <translation>Legende der Farben</translation>
    </message>
    <message>
        <source>Colour by operator family again</source>
        <translation>Wieder nach Operatorfamilie färben</translation>
    </message>
    <message>
        <source>Show only these nodes; again, or Esc, shows all</source>
        <translation>Nur diese Knoten zeigen; noch einmal oder Esc zeigt alle</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::CommandPalette</name>
    <message>
        <source>Commands and nodes</source>
        <translation>Befehle und Knoten</translation>
    </message>
    <message>
        <source>Search a command or a node</source>
        <translation>Befehl oder Knoten suchen</translation>
    </message>
    <message>
        <source>Search commands and nodes</source>
        <translation>Befehle und Knoten suchen</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <source>before</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>after</source>
        <translation>nachher</translation>
    </message>
    <message>
        <source>source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>ONNX</source>
        <translation>ONNX</translation>
    </message>
    <message>
        <source>No matching command or node</source>
        <translation>Kein passender Befehl oder Knoten</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::CompareController</name>
    <message>
        <source>Co&amp;mpare with…</source>
        <translation>&amp;Vergleichen mit…</translation>
    </message>
    <message>
        <source>E&amp;nd the comparison</source>
        <translation>Vergleich b&amp;eenden</translation>
    </message>
    <message>
        <source>Next &amp;difference</source>
        <translation>Nächster &amp;Unterschied</translation>
    </message>
    <message>
        <source>Previous d&amp;ifference</source>
        <translation>Voriger U&amp;nterschied</translation>
    </message>
    <message>
        <source>Compare %1 with</source>
        <translation>%1 vergleichen mit</translation>
    </message>
    <message>
        <source>Difference %1 of %2</source>
        <translation>Unterschied %1 von %2</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::ContextMenus</name>
    <message>
        <source>Save a te&amp;nsor</source>
        <translation>Te&amp;nsor speichern</translation>
    </message>
    <message>
        <source>Open the body here</source>
        <translation>Rumpf hier öffnen</translation>
    </message>
    <message>
        <source>To the &amp;producer %1</source>
        <translation>Zum &amp;Erzeuger %1</translation>
    </message>
    <message>
        <source>To the &amp;consumer %1</source>
        <translation>Zum &amp;Verbraucher %1</translation>
    </message>
    <message numerus="yes">
        <source>Select all %Ln consumers</source>
        <translation>
            <numerusform>%Ln Verbraucher auswählen</numerusform>
            <numerusform>Alle %Ln Verbraucher auswählen</numerusform>
        </translation>
    </message>
    <message>
        <source>Select &amp;both ends</source>
        <translation>&amp;Beide Enden auswählen</translation>
    </message>
    <message>
        <source>Copied %1</source>
        <translation>%1 kopiert</translation>
    </message>
    <message>
        <source>Copy the &amp;name %1</source>
        <translation>&amp;Namen %1 kopieren</translation>
    </message>
    <message>
        <source>Copy the &amp;type %1</source>
        <translation>&amp;Typ %1 kopieren</translation>
    </message>
    <message>
        <source>Make this the &amp;output</source>
        <translation>Zum &amp;Ausgang machen</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::ConversionReports</name>
    <message>
        <source>The file does not contain the shapes of all inputs: nodes that depend on them are not converted.</source>
        <translation>Die Datei enthält nicht die Formen aller Eingänge: Knoten, die von ihnen abhängen, werden nicht umgewandelt.</translation>
    </message>
    <message>
        <source>Give shapes…</source>
        <translation>Formen angeben…</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>The shape of 1 node changed</source>
        <translation>Die Form von 1 Knoten hat sich geändert</translation>
    </message>
    <message numerus="yes">
        <source>The shapes of %Ln nodes changed</source>
        <translation>
            <numerusform>Die Form von %Ln Knoten hat sich geändert</numerusform>
            <numerusform>Die Formen von %Ln Knoten haben sich geändert</numerusform>
        </translation>
    </message>
    <message>
        <source> The shape of %1 was set to %2.</source>
        <translation> Die Form von %1 wurde auf %2 gesetzt.</translation>
    </message>
    <message>
        <source>The shapes do not fit at %1: %2.</source>
        <translation>Die Formen passen bei %1 nicht: %2.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Conversion cancelled.</source>
        <translation>Umwandlung abgebrochen.</translation>
    </message>
    <message>
        <source>Convert again</source>
        <translation>Noch einmal umwandeln</translation>
    </message>
    <message>
        <source>The model no longer has these inputs, outputs or nodes; their options were removed: %1.</source>
        <translation>Das Modell hat diese Eingänge, Ausgänge oder Knoten nicht mehr; ihre Optionen wurden entfernt: %1.</translation>
    </message>
    <message>
        <source>The model could not be converted: %1.</source>
        <translation>Das Modell konnte nicht umgewandelt werden: %1.</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::CustomOperatorDialog</name>
    <message>
        <source>Custom operator for %1</source>
        <translation>Eigener Operator für %1</translation>
    </message>
    <message>
        <source>All nodes of %1 are exported as nodes of an operator that your runtime provides. They keep their inputs, outputs and attributes.</source>
        <translation>Alle Knoten von %1 werden als Knoten eines Operators exportiert, den Ihre Laufzeitumgebung bereitstellt. Sie behalten ihre Eingänge, Ausgänge und Attribute.</translation>
    </message>
    <message>
        <source>&amp;Domain</source>
        <translation>&amp;Domäne</translation>
    </message>
    <message>
        <source>&amp;Operator</source>
        <translation>&amp;Operator</translation>
    </message>
    <message>
        <source>&amp;Remove the mapping</source>
        <translation>Zuordnung &amp;entfernen</translation>
    </message>
    <message>
        <source>The operator needs a domain, such as com.example</source>
        <translation>Der Operator braucht eine Domäne, zum Beispiel com.example</translation>
    </message>
    <message>
        <source>%1 is not a valid domain</source>
        <translation>%1 ist keine gültige Domäne</translation>
    </message>
    <message>
        <source>%1 is a domain of ONNX; your operator needs another one</source>
        <translation>%1 ist eine Domäne von ONNX; Ihr Operator braucht eine andere</translation>
    </message>
    <message>
        <source>The name of an operator consists of letters, digits and underscores</source>
        <translation>Der Name eines Operators besteht aus Buchstaben, Ziffern und Unterstrichen</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::DetailsModel</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::DockController</name>
    <message>
        <source>Summary of the model</source>
        <translation>Zusammenfassung des Modells</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>Gliederung</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingänge</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>The tensor was not saved: %1.</source>
        <translation>Der Tensor wurde nicht gespeichert: %1.</translation>
    </message>
    <message>
        <source>Panels belo&amp;w the graphs</source>
        <translation>&amp;Bereiche unter den Graphen</translation>
    </message>
    <message>
        <source>Ne&amp;xt pane</source>
        <translation>Nä&amp;chste Hälfte</translation>
    </message>
    <message>
        <source>Pre&amp;vious pane</source>
        <translation>Vori&amp;ge Hälfte</translation>
    </message>
    <message>
        <source>&amp;Maximize the graph</source>
        <translation>Graphen &amp;maximieren</translation>
    </message>
    <message>
        <source>Folded nodes in the ou&amp;tline</source>
        <translation>Gefaltete Knoten in der G&amp;liederung</translation>
    </message>
    <message>
        <source>&amp;Find a node</source>
        <translation>Knoten &amp;suchen</translation>
    </message>
    <message>
        <source>Save a te&amp;nsor…</source>
        <translation>Te&amp;nsor speichern…</translation>
    </message>
    <message>
        <source>&amp;Next problem</source>
        <translation>&amp;Nächstes Problem</translation>
    </message>
    <message>
        <source>&amp;Previous problem</source>
        <translation>&amp;Voriges Problem</translation>
    </message>
    <message>
        <source>1 error</source>
        <translation>1 Fehler</translation>
    </message>
    <message numerus="yes">
        <source>%Ln errors</source>
        <translation>
            <numerusform>%Ln Fehler</numerusform>
            <numerusform>%Ln Fehler</numerusform>
        </translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 Warnung</translation>
    </message>
    <message numerus="yes">
        <source>%Ln warnings</source>
        <translation>
            <numerusform>%Ln Warnung</numerusform>
            <numerusform>%Ln Warnungen</numerusform>
        </translation>
    </message>
    <message>
        <source>1 note</source>
        <translation>1 Hinweis</translation>
    </message>
    <message numerus="yes">
        <source>%Ln notes</source>
        <translation>
            <numerusform>%Ln Hinweis</numerusform>
            <numerusform>%Ln Hinweise</numerusform>
        </translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>1 input</source>
        <translation>1 Eingang</translation>
    </message>
    <message numerus="yes">
        <source>%Ln inputs</source>
        <translation>
            <numerusform>%Ln Eingang</numerusform>
            <numerusform>%Ln Eingänge</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::DockTitle</name>
    <message>
        <source>Float</source>
        <translation>Abdocken</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::Document</name>
    <message>
        <source>the export computes other results than the original</source>
        <translation>der Export berechnet andere Ergebnisse als das Original</translation>
    </message>
    <message>
        <source>the export computes other results than were recorded</source>
        <translation>der Export berechnet andere Ergebnisse als die aufgezeichneten</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>Lesen</translation>
    </message>
    <message>
        <source>Converting to ONNX</source>
        <translation>Umwandeln nach ONNX</translation>
    </message>
    <message>
        <source>Strategy of %1</source>
        <translation>Strategie von %1</translation>
    </message>
    <message numerus="yes">
        <source>Strategy of %Ln nodes</source>
        <translation>
            <numerusform>Strategie von %Ln Knoten</numerusform>
            <numerusform>Strategie von %Ln Knoten</numerusform>
        </translation>
    </message>
    <message>
        <source>Opset %1</source>
        <translation>Opset %1</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>Lesen von %1</translation>
    </message>
    <message>
        <source>Names of inputs and outputs</source>
        <translation>Namen der Ein- und Ausgänge</translation>
    </message>
    <message>
        <source>Extract the selection</source>
        <translation>Auswahl herauslösen</translation>
    </message>
    <message>
        <source>Keep the whole model</source>
        <translation>Ganzes Modell behalten</translation>
    </message>
    <message>
        <source>Outputs of the model</source>
        <translation>Ausgänge des Modells</translation>
    </message>
    <message>
        <source>Make it the output</source>
        <translation>Zum Ausgang machen</translation>
    </message>
    <message>
        <source>Shape of %1</source>
        <translation>Form von %1</translation>
    </message>
    <message>
        <source>Type of %1</source>
        <translation>Typ von %1</translation>
    </message>
    <message>
        <source>Inputs as in the file</source>
        <translation>Eingänge wie in der Datei</translation>
    </message>
    <message>
        <source>Batch 1</source>
        <translation>Batch 1</translation>
    </message>
    <message>
        <source>Batch N</source>
        <translation>Batch N</translation>
    </message>
    <message>
        <source>Recurrent layers</source>
        <translation>Rekurrente Schichten</translation>
    </message>
    <message>
        <source>Optimization</source>
        <translation>Optimierung</translation>
    </message>
    <message>
        <source>Rerolling</source>
        <translation>Zusammenfassen von Schritten</translation>
    </message>
    <message>
        <source>Samples by themselves</source>
        <translation>Proben einzeln</translation>
    </message>
    <message>
        <source>Operator %1</source>
        <translation>Operator %1</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::DragOutController</name>
    <message>
        <source>Copy the ONN&amp;X file</source>
        <translation>ONN&amp;X-Datei kopieren</translation>
    </message>
    <message>
        <source>Drag the ONNX file from here into a folder or another program</source>
        <translation>Ziehen Sie die ONNX-Datei von hier in einen Ordner oder ein anderes Programm</translation>
    </message>
    <message>
        <source>An export with gaps cannot be dragged; use Export</source>
        <translation>Ein Export mit Lücken lässt sich nicht ziehen; verwenden Sie Exportieren</translation>
    </message>
    <message>
        <source>The conversion changed while its file was written: copy or drag it again</source>
        <translation>Die Umwandlung hat sich geändert, während ihre Datei geschrieben wurde: noch einmal kopieren oder ziehen</translation>
    </message>
    <message>
        <source>Drop %1 at its destination</source>
        <translation>Legen Sie %1 am Ziel ab</translation>
    </message>
    <message>
        <source>%1 is ready: drag it out now</source>
        <translation>%1 ist bereit: jetzt herausziehen</translation>
    </message>
    <message>
        <source>Copied %1: paste it into a folder or another program</source>
        <translation>%1 kopiert: in einen Ordner oder ein anderes Programm einfügen</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::EditController</name>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>&amp;Rename inputs and outputs…</source>
        <translation>Ein- und Ausgänge &amp;umbenennen…</translation>
    </message>
    <message>
        <source>Make this the &amp;output</source>
        <translation>Zum &amp;Ausgang machen</translation>
    </message>
    <message>
        <source>Restore the outputs of the &amp;model</source>
        <translation>Ausgänge des &amp;Modells wiederherstellen</translation>
    </message>
    <message>
        <source>Extract the selected s&amp;ubgraph</source>
        <translation>Ausgewählten &amp;Teilgraphen herauslösen</translation>
    </message>
    <message>
        <source>&amp;Keep the whole model</source>
        <translation>&amp;Ganzes Modell behalten</translation>
    </message>
    <message>
        <source>&amp;Undo %1</source>
        <translation>&amp;Rückgängig: %1</translation>
    </message>
    <message>
        <source>&amp;Redo %1</source>
        <translation>&amp;Wiederholen: %1</translation>
    </message>
    <message>
        <source>The selection cannot be a model: it has no inputs or no outputs.</source>
        <translation>Die Auswahl kann kein Modell sein: Sie hat keine Eingänge oder keine Ausgänge.</translation>
    </message>
    <message>
        <source>Extracted a part with 1 input</source>
        <translation>Teil mit 1 Eingang herausgelöst</translation>
    </message>
    <message numerus="yes">
        <source>Extracted a part with %Ln inputs</source>
        <translation>
            <numerusform>Teil mit %Ln Eingang herausgelöst</numerusform>
            <numerusform>Teil mit %Ln Eingängen herausgelöst</numerusform>
        </translation>
    </message>
    <message>
        <source> and 1 output</source>
        <translation> und 1 Ausgang</translation>
    </message>
    <message numerus="yes">
        <source> and %Ln outputs</source>
        <translation>
            <numerusform> und %Ln Ausgang</numerusform>
            <numerusform> und %Ln Ausgängen</numerusform>
        </translation>
    </message>
    <message>
        <source>Cut the model &amp;here</source>
        <translation>Modell &amp;hier abschneiden</translation>
    </message>
    <message>
        <source>Nothing remains in front of the selection: it reads only inputs and weights.</source>
        <translation>Vor der Auswahl bleibt nichts übrig: Sie liest nur Eingänge und Gewichte.</translation>
    </message>
    <message>
        <source>Cut: the model now ends at %1</source>
        <translation>Abgeschnitten: Das Modell endet jetzt bei %1</translation>
    </message>
    <message numerus="yes">
        <source>Cut: the model now has %Ln outputs</source>
        <translation>
            <numerusform>Abgeschnitten: Das Modell hat jetzt %Ln Ausgang</numerusform>
            <numerusform>Abgeschnitten: Das Modell hat jetzt %Ln Ausgänge</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::ExportController</name>
    <message>
        <source>&amp;Export to ONNX…</source>
        <translation>Nach ONNX &amp;exportieren…</translation>
    </message>
    <message>
        <source>Nothing was exported: %1.</source>
        <translation>Nichts wurde exportiert: %1.</translation>
    </message>
    <message>
        <source>Cancelled: %1</source>
        <translation>Abgebrochen: %1</translation>
    </message>
    <message>
        <source>Export despite differences</source>
        <translation>Trotz Abweichungen exportieren</translation>
    </message>
    <message>
        <source>Export to ONNX</source>
        <translation>Nach ONNX exportieren</translation>
    </message>
    <message>
        <source>Export with 1 gap…</source>
        <translation>Mit 1 Lücke exportieren…</translation>
    </message>
    <message numerus="yes">
        <source>Export with %Ln gaps…</source>
        <translation>
            <numerusform>Mit %Ln Lücke exportieren…</numerusform>
            <numerusform>Mit %Ln Lücken exportieren…</numerusform>
        </translation>
    </message>
    <message>
        <source>The check found other results: see the problems. Write the model (Ctrl+E)</source>
        <translation>Die Prüfung fand andere Ergebnisse: siehe Probleme. Schreibt das Modell (Strg+E)</translation>
    </message>
    <message>
        <source>Check the ONNX model and write it (Ctrl+E)</source>
        <translation>Prüft das ONNX-Modell und schreibt es (Strg+E)</translation>
    </message>
    <message>
        <source>1 node has no ONNX equivalent.</source>
        <translation>1 Knoten hat keine Entsprechung in ONNX.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln nodes have no ONNX equivalent.</source>
        <translation>
            <numerusform>%Ln Knoten hat keine Entsprechung in ONNX.</numerusform>
            <numerusform>%Ln Knoten haben keine Entsprechung in ONNX.</numerusform>
        </translation>
    </message>
    <message>
        <source>1 more node is blocked by a gap.</source>
        <translation>1 weiterer Knoten ist durch eine Lücke blockiert.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more nodes are blocked by gaps.</source>
        <translation>
            <numerusform>%Ln weiterer Knoten ist durch Lücken blockiert.</numerusform>
            <numerusform>%Ln weitere Knoten sind durch Lücken blockiert.</numerusform>
        </translation>
    </message>
    <message>
        <source>Export with gaps</source>
        <translation>Mit Lücken exportieren</translation>
    </message>
    <message>
        <source>They are kept as nodes of the domain crosswalk.gap. No runtime can run the file until all of them are replaced. The problems panel lists them with possible workarounds.</source>
        <translation>Sie bleiben als Knoten der Domäne crosswalk.gap erhalten. Keine Laufzeit kann die Datei ausführen, bevor sie alle ersetzt sind. Der Bereich Probleme nennt sie mit möglichen Auswegen.</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx)</source>
        <translation>ONNX-Modelle (*.onnx)</translation>
    </message>
    <message>
        <source>Replace a file</source>
        <translation>Datei ersetzen</translation>
    </message>
    <message>
        <source>%1 is the open model. Replace it with its export?</source>
        <translation>%1 ist das offene Modell. Durch seinen Export ersetzen?</translation>
    </message>
    <message>
        <source>%1 already exists. Replace it?</source>
        <translation>%1 gibt es bereits. Ersetzen?</translation>
    </message>
    <message>
        <source>This overwrites the model in the file.</source>
        <translation>Das überschreibt das Modell in der Datei.</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Exported %1, %2 in %3, checked</source>
        <translation>%1 exportiert, %2 in %3, geprüft</translation>
    </message>
    <message>
        <source>%1; %2 of weights stay in the files of the model</source>
        <translation>%1; %2 an Gewichten bleiben in den Dateien des Modells</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::Exporter</name>
    <message>
        <source>Exporting</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Saving</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Open a model first.</source>
        <translation>Öffnen Sie zuerst ein Modell.</translation>
    </message>
    <message>
        <source>Two models are being compared.</source>
        <translation>Zwei Modelle werden verglichen.</translation>
    </message>
    <message>
        <source>The conversion is still running.</source>
        <translation>Die Umwandlung läuft noch.</translation>
    </message>
    <message>
        <source>The model was not converted with the current options: convert it again, or reload it (F5).</source>
        <translation>Das Modell wurde nicht mit den aktuellen Optionen umgewandelt: noch einmal umwandeln oder neu laden (F5).</translation>
    </message>
    <message>
        <source>Nothing could be converted: see the problems.</source>
        <translation>Nichts konnte umgewandelt werden: siehe Probleme.</translation>
    </message>
    <message>
        <source>Weights are missing or do not fit: see the problems.</source>
        <translation>Gewichte fehlen oder passen nicht: siehe Probleme.</translation>
    </message>
    <message>
        <source>The source file has errors: see the problems.</source>
        <translation>Die Quelldatei hat Fehler: siehe Probleme.</translation>
    </message>
    <message>
        <source>The conversion is not complete: see the problems.</source>
        <translation>Die Umwandlung ist nicht vollständig: siehe Probleme.</translation>
    </message>
    <message>
        <source>Exporting %1</source>
        <translation>Exportieren von %1</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>Speichern von %1</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::FileController</name>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>Open &amp;folder…</source>
        <translation>O&amp;rdner öffnen…</translation>
    </message>
    <message>
        <source>Choose &amp;weights…</source>
        <translation>&amp;Gewichte wählen…</translation>
    </message>
    <message>
        <source>Re&amp;load from disk</source>
        <translation>Neu &amp;laden</translation>
    </message>
    <message>
        <source>Reload without li&amp;mits</source>
        <translation>Ohne &amp;Grenzen neu laden</translation>
    </message>
    <message>
        <source>Open anyway</source>
        <translation>Trotzdem öffnen</translation>
    </message>
    <message>
        <source>Open a model folder</source>
        <translation>Modellordner öffnen</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>Modell öffnen</translation>
    </message>
    <message>
        <source>Open a model of %1</source>
        <translation>Modell aus %1 öffnen</translation>
    </message>
    <message numerus="yes">
        <source>The folder contains %Ln models. Which one do you want to open?</source>
        <translation>
            <numerusform>Der Ordner enthält %Ln Modell. Welches möchten Sie öffnen?</numerusform>
            <numerusform>Der Ordner enthält %Ln Modelle. Welches möchten Sie öffnen?</numerusform>
        </translation>
    </message>
    <message>
        <source>Models in the folder</source>
        <translation>Modelle im Ordner</translation>
    </message>
    <message>
        <source>Show as a &amp;collection</source>
        <translation>Als &amp;Sammlung zeigen</translation>
    </message>
    <message>
        <source>Choose the weights of %1</source>
        <translation>Gewichte von %1 wählen</translation>
    </message>
    <message>
        <source>Clear the list</source>
        <translation>Liste leeren</translation>
    </message>
    <message>
        <source>%1 cannot be opened: %2.</source>
        <translation>%1 kann nicht geöffnet werden: %2.</translation>
    </message>
    <message>
        <source>Open another…</source>
        <translation>Anderes öffnen…</translation>
    </message>
    <message>
        <source>%1 was deleted. The open model keeps its contents.</source>
        <translation>%1 wurde gelöscht. Das offene Modell behält seinen Inhalt.</translation>
    </message>
    <message>
        <source>%1 has changed on disk.</source>
        <translation>%1 hat sich auf der Festplatte geändert.</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Neu laden</translation>
    </message>
    <message>
        <source>%1 itself contains no model. The models in its subfolders can be shown as a collection.</source>
        <translation>%1 selbst enthält kein Modell. Die Modelle in seinen Unterordnern können als Sammlung gezeigt werden.</translation>
    </message>
    <message>
        <source>Show as a collection</source>
        <translation>Als Sammlung zeigen</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::GraphNavigation</name>
    <message>
        <source>Nothing is upstream of the selection.</source>
        <translation>Nichts liegt oberhalb der Auswahl.</translation>
    </message>
    <message>
        <source>Nothing is downstream of the selection.</source>
        <translation>Nichts liegt unterhalb der Auswahl.</translation>
    </message>
    <message>
        <source>No other nodes are on paths between the selected ones.</source>
        <translation>Auf Pfaden zwischen den ausgewählten Knoten liegen keine weiteren.</translation>
    </message>
    <message>
        <source>The selection has no counterpart.</source>
        <translation>Die Auswahl hat kein Gegenstück.</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::GraphPane</name>
    <message>
        <source>The graph and bodies of its nodes</source>
        <translation>Der Graph und Rümpfe seiner Knoten</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::GraphPanes</name>
    <message>
        <source>Conversion cancelled.</source>
        <translation>Umwandlung abgebrochen.</translation>
    </message>
    <message>
        <source>&amp;Fit the graph</source>
        <translation>Graphen ein&amp;passen</translation>
    </message>
    <message>
        <source>&amp;100 %</source>
        <translation>&amp;100 %</translation>
    </message>
    <message>
        <source>Zoom to the &amp;selection</source>
        <translation>Zur &amp;Auswahl zoomen</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>Ver&amp;größern</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>Ver&amp;kleinern</translation>
    </message>
    <message>
        <source>&amp;Open the selected group</source>
        <translation>Ausgewählte Gruppe ö&amp;ffnen</translation>
    </message>
    <message>
        <source>&amp;Close the group around the selection</source>
        <translation>Gruppe um die Auswahl s&amp;chließen</translation>
    </message>
    <message>
        <source>Open &amp;all groups</source>
        <translation>&amp;Alle Gruppen öffnen</translation>
    </message>
    <message>
        <source>Clos&amp;e all groups</source>
        <translation>All&amp;e Gruppen schließen</translation>
    </message>
    <message>
        <source>Source &amp;only</source>
        <translation>Nur &amp;Quelle</translation>
    </message>
    <message>
        <source>So&amp;urce and ONNX</source>
        <translation>Q&amp;uelle und ONNX</translation>
    </message>
    <message>
        <source>ONN&amp;X only</source>
        <translation>Nur ONN&amp;X</translation>
    </message>
    <message>
        <source>&amp;Link the panes</source>
        <translation>Hälften ver&amp;binden</translation>
    </message>
    <message>
        <source>S&amp;tack panes</source>
        <translation>Hälften s&amp;tapeln</translation>
    </message>
    <message>
        <source>Left-to-ri&amp;ght layout</source>
        <translation>Von links nach rec&amp;hts</translation>
    </message>
    <message>
        <source>S&amp;hapes on edges</source>
        <translation>&amp;Formen an Kanten</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 Knoten</translation>
    </message>
    <message numerus="yes">
        <source>%Ln nodes</source>
        <translation>
            <numerusform>%Ln Knoten</numerusform>
            <numerusform>%Ln Knoten</numerusform>
        </translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>ONNX</source>
        <translation>ONNX</translation>
    </message>
    <message>
        <source>opset %1</source>
        <translation>Opset %1</translation>
    </message>
    <message>
        <source>The model could not be converted. See the problems below.</source>
        <translation>Das Modell konnte nicht umgewandelt werden. Siehe die Probleme unten.</translation>
    </message>
    <message>
        <source>The ONNX graph appears here.</source>
        <translation>Hier erscheint der ONNX-Graph.</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::GroupFolding</name>
    <message>
        <source>Laying out the graph</source>
        <translation>Anordnen des Graphen</translation>
    </message>
    <message>
        <source>Laying out the ONNX graph</source>
        <translation>Anordnen des ONNX-Graphen</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::HeatMapView</name>
    <message>
        <source>Heat map of the values</source>
        <translation>Heatmap der Werte</translation>
    </message>
    <message>
        <source>Reading values</source>
        <translation>Lesen der Werte</translation>
    </message>
    <message>
        <source>not a number</source>
        <translation>keine Zahl</translation>
    </message>
    <message>
        <source>[%1, %2]: %3</source>
        <translation>[%1, %2]: %3</translation>
    </message>
    <message>
        <source>from [%1, %2] on, largest: %3</source>
        <translation>ab [%1, %2], größter Wert: %3</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::HistogramView</name>
    <message>
        <source>Distribution of the values</source>
        <translation>Verteilung der Werte</translation>
    </message>
    <message>
        <source>%L1 to %L2: %L3 values</source>
        <translation>%L1 bis %L2: %L3 Werte</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::InputsModel</name>
    <message>
        <source>Set by you</source>
        <translation>Von Ihnen festgelegt</translation>
    </message>
    <message>
        <source>From the file</source>
        <translation>Aus der Datei</translation>
    </message>
    <message>
        <source>Inferred from the weights</source>
        <translation>Aus den Gewichten abgeleitet</translation>
    </message>
    <message>
        <source>Unknown: set a shape</source>
        <translation>Unbekannt: legen Sie eine Form fest</translation>
    </message>
    <message>
        <source>Sizes or names, such as N, 3, 224, 224. Leave empty to restore the shape of the file.</source>
        <translation>Größen oder Namen wie N, 3, 224, 224. Leer lassen, um die Form der Datei wiederherzustellen.</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>Skalar</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Eingang</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>Herkunft</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::InputsPanel</name>
    <message>
        <source>Inputs of the model</source>
        <translation>Eingänge des Modells</translation>
    </message>
    <message>
        <source>As in the file</source>
        <translation>Wie in der Datei</translation>
    </message>
    <message>
        <source>Discard all shapes and types that you have set</source>
        <translation>Alle von Ihnen festgelegten Formen und Typen verwerfen</translation>
    </message>
    <message>
        <source>Batch 1</source>
        <translation>Batch 1</translation>
    </message>
    <message>
        <source>One sample at a time, for every input</source>
        <translation>Eine Probe auf einmal, für jeden Eingang</translation>
    </message>
    <message>
        <source>Batch N</source>
        <translation>Batch N</translation>
    </message>
    <message>
        <source>Any number of samples, for every input</source>
        <translation>Beliebig viele Proben, für jeden Eingang</translation>
    </message>
    <message>
        <source>Signatures of the model</source>
        <translation>Signaturen des Modells</translation>
    </message>
    <message>
        <source>Shapes of all inputs: %1</source>
        <translation>Formen aller Eingänge: %1</translation>
    </message>
    <message>
        <source>Two models are being compared: the inputs are those of the first model&apos;s file.</source>
        <translation>Zwei Modelle werden verglichen: Die Eingänge sind die der Datei des ersten Modells.</translation>
    </message>
    <message>
        <source>Sizes or names: N, 3, 224, 224. A name is a dynamic dimension. Press Enter to convert, Ctrl+Z to undo.</source>
        <translation>Größen oder Namen: N, 3, 224, 224. Ein Name ist eine dynamische Dimension. Eingabetaste wandelt um, Strg+Z macht rückgängig.</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::LayersModel</name>
    <message>
        <source>shared</source>
        <translation>gemeinsam</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>Counted at %1, which becomes the same ONNX nodes</source>
        <translation>Gezählt bei %1, das zu denselben ONNX-Knoten wird</translation>
    </message>
    <message>
        <source>A shape, a number of iterations or the operator is unknown</source>
        <translation>Eine Form, eine Anzahl von Durchläufen oder der Operator ist unbekannt</translation>
    </message>
    <message>
        <source>1 tensor</source>
        <translation>1 Tensor</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln Tensor</numerusform>
            <numerusform>%Ln Tensoren</numerusform>
        </translation>
    </message>
    <message>
        <source>Multiply-adds (MACs) of one run at %1</source>
        <translation>Multiply-Adds (MACs) eines Laufs mit %1</translation>
    </message>
    <message>
        <source>Multiply-adds (MACs) of one run</source>
        <translation>Multiply-Adds (MACs) eines Laufs</translation>
    </message>
    <message>
        <source>Type and shape of the first output; sorted by the number of elements</source>
        <translation>Typ und Form des ersten Ausgangs; sortiert nach der Anzahl der Elemente</translation>
    </message>
    <message>
        <source>Largest absolute difference that the check measured</source>
        <translation>Größte absolute Differenz, die die Prüfung gemessen hat</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>MACs</source>
        <translation>MACs</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Mean time of the ONNX nodes in a run; nodes that several layers share count at the first one</source>
        <translation>Mittlere Zeit der ONNX-Knoten in einem Lauf; Knoten, die sich mehrere Schichten teilen, zählen bei der ersten</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>Latenz</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::LayersPanel</name>
    <message>
        <source>Filter the layers</source>
        <translation>Schichten filtern</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filtern</translation>
    </message>
    <message>
        <source>Filter by name, operator, output or verdict: conv 64, lstm decomposed</source>
        <translation>Nach Name, Operator, Ausgang oder Ergebnis filtern: conv 64, lstm zerlegt</translation>
    </message>
    <message>
        <source>Number of layers</source>
        <translation>Anzahl der Schichten</translation>
    </message>
    <message>
        <source>Save as CSV…</source>
        <translation>Als CSV speichern…</translation>
    </message>
    <message>
        <source>Save all layers as comma-separated values</source>
        <translation>Alle Schichten als kommagetrennte Werte speichern</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>1 layer</source>
        <translation>1 Schicht</translation>
    </message>
    <message numerus="yes">
        <source>%Ln layers</source>
        <translation>
            <numerusform>%Ln Schicht</numerusform>
            <numerusform>%Ln Schichten</numerusform>
        </translation>
    </message>
    <message>
        <source>%L1 of %L2 layers</source>
        <translation>%L1 von %L2 Schichten</translation>
    </message>
    <message>
        <source>No layer matches.</source>
        <translation>Keine Schicht passt.</translation>
    </message>
    <message>
        <source>The layers of the open model are listed here.</source>
        <translation>Hier stehen die Schichten des offenen Modells.</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copy &amp;names</source>
        <translation>&amp;Namen kopieren</translation>
    </message>
    <message>
        <source>&amp;Sort by</source>
        <translation>&amp;Sortieren nach</translation>
    </message>
    <message>
        <source>Order of the graph</source>
        <translation>Reihenfolge des Graphen</translation>
    </message>
    <message>
        <source>Save as CS&amp;V…</source>
        <translation>Als CS&amp;V speichern…</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::MainWindow</name>
    <message>
        <source>Crosswalk</source>
        <translation>Crosswalk</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>New &amp;tab</source>
        <translation>Neuer &amp;Tab</translation>
    </message>
    <message>
        <source>&amp;New window</source>
        <translation>&amp;Neues Fenster</translation>
    </message>
    <message>
        <source>&amp;Move the tab to a new window</source>
        <translation>Tab in ein neues Fenster &amp;verschieben</translation>
    </message>
    <message>
        <source>Reopen the last closed ta&amp;b</source>
        <translation>Zuletzt geschlossenen Ta&amp;b wieder öffnen</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Run a command…</source>
        <translation>&amp;Befehl ausführen…</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>&amp;Einstellungen…</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Next tab</source>
        <translation>&amp;Nächster Tab</translation>
    </message>
    <message>
        <source>&amp;Previous tab</source>
        <translation>&amp;Voriger Tab</translation>
    </message>
    <message>
        <source>Theme: follow the &amp;system</source>
        <translation>Design: wie das &amp;System</translation>
    </message>
    <message>
        <source>Theme: &amp;light</source>
        <translation>Design: &amp;hell</translation>
    </message>
    <message>
        <source>Theme: &amp;dark</source>
        <translation>Design: &amp;dunkel</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Design</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>&amp;Modell</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Keys and mouse</source>
        <translation>&amp;Tasten und Maus</translation>
    </message>
    <message>
        <source>&amp;About Crosswalk</source>
        <translation>Ü&amp;ber Crosswalk</translation>
    </message>
    <message>
        <source>Drop a model to open it, or recorded tensors to verify the export</source>
        <translation>Modell ablegen, um es zu öffnen, oder aufgezeichnete Tensoren, um den Export zu prüfen</translation>
    </message>
    <message>
        <source>Drop a model to open it</source>
        <translation>Modell ablegen, um es zu öffnen</translation>
    </message>
    <message>
        <source>%1 — Crosswalk</source>
        <translation>%1 — Crosswalk</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>&amp;Gehe zu</translation>
    </message>
    <message>
        <source>%L1 %</source>
        <translation>%L1 %</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>Zoom</translation>
    </message>
    <message>
        <source>Zoom to 100 %</source>
        <translation>Auf 100 % zoomen</translation>
    </message>
    <message>
        <source>Search or command   Ctrl+K</source>
        <translation>Suche oder Befehl   Strg+K</translation>
    </message>
    <message>
        <source>Search or run a command</source>
        <translation>Suchen oder einen Befehl ausführen</translation>
    </message>
    <message>
        <source>Open a folder as a colle&amp;ction…</source>
        <translation>Ordner als Sa&amp;mmlung öffnen…</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::Messages</name>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Im Ordner zeigen</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>Pfad kopieren</translation>
    </message>
    <message>
        <source>Internal error (%1). The open model is unaffected; please send us the report.</source>
        <translation>Interner Fehler (%1). Das offene Modell ist nicht betroffen; bitte senden Sie uns den Bericht.</translation>
    </message>
    <message>
        <source>Copy the report</source>
        <translation>Bericht kopieren</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::Minimap</name>
    <message>
        <source>Overview of the graph</source>
        <translation>Überblick über den Graphen</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::NamesDialog</name>
    <message>
        <source>input and output</source>
        <translation>Ein- und Ausgang</translation>
    </message>
    <message>
        <source>input</source>
        <translation>Eingang</translation>
    </message>
    <message>
        <source>output</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Names of inputs and outputs</source>
        <translation>Namen der Ein- und Ausgänge</translation>
    </message>
    <message>
        <source>In the source</source>
        <translation>In der Quelle</translation>
    </message>
    <message>
        <source>In the export</source>
        <translation>Im Export</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Two values have the name %1.</source>
        <translation>Zwei Werte haben den Namen %1.</translation>
    </message>
    <message>
        <source>%1 is the name of another value of the model.</source>
        <translation>%1 ist der Name eines anderen Werts des Modells.</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::NavigationController</name>
    <message>
        <source>Painting the picture</source>
        <translation>Zeichnen des Bildes</translation>
    </message>
    <message>
        <source>Book&amp;marks</source>
        <translation>Lese&amp;zeichen</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation>&amp;Vorwärts</translation>
    </message>
    <message>
        <source>To the &amp;counterpart</source>
        <translation>Zum Gegen&amp;stück</translation>
    </message>
    <message>
        <source>Select everything &amp;upstream</source>
        <translation>Alles &amp;oberhalb auswählen</translation>
    </message>
    <message>
        <source>Select everything &amp;downstream</source>
        <translation>Alles &amp;unterhalb auswählen</translation>
    </message>
    <message>
        <source>Select the &amp;paths between the nodes</source>
        <translation>&amp;Pfade zwischen den Knoten auswählen</translation>
    </message>
    <message>
        <source>Book&amp;mark the node</source>
        <translation>&amp;Lesezeichen am Knoten</translation>
    </message>
    <message>
        <source>&amp;Next bookmark</source>
        <translation>&amp;Nächstes Lesezeichen</translation>
    </message>
    <message>
        <source>Pre&amp;vious bookmark</source>
        <translation>V&amp;origes Lesezeichen</translation>
    </message>
    <message>
        <source>&amp;Remove all bookmarks</source>
        <translation>Alle Lesezeichen &amp;entfernen</translation>
    </message>
    <message>
        <source>&amp;Copy the node&apos;s name</source>
        <translation>&amp;Namen des Knotens kopieren</translation>
    </message>
    <message>
        <source>Copy as &amp;JSON</source>
        <translation>Als &amp;JSON kopieren</translation>
    </message>
    <message>
        <source>Copy a &amp;picture of the selection</source>
        <translation>&amp;Bild der Auswahl kopieren</translation>
    </message>
    <message>
        <source>%1 (ONNX)</source>
        <translation>%1 (ONNX)</translation>
    </message>
    <message>
        <source>Copied the name</source>
        <translation>Name kopiert</translation>
    </message>
    <message numerus="yes">
        <source>Copied %Ln names</source>
        <translation>
            <numerusform>%Ln Name kopiert</numerusform>
            <numerusform>%Ln Namen kopiert</numerusform>
        </translation>
    </message>
    <message>
        <source>Copied as JSON</source>
        <translation>Als JSON kopiert</translation>
    </message>
    <message>
        <source>Copied a picture of %1 × %2 pixels</source>
        <translation>Bild mit %1 × %2 Pixeln kopiert</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::OperatorDocView</name>
    <message>
        <source>What the operator does</source>
        <translation>Was der Operator tut</translation>
    </message>
    <message>
        <source>Less about the operator</source>
        <translation>Weniger über den Operator</translation>
    </message>
    <message>
        <source>More about the operator</source>
        <translation>Mehr über den Operator</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>Weniger</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::OptionController</name>
    <message>
        <source>&amp;Opset</source>
        <translation>&amp;Opset</translation>
    </message>
    <message>
        <source>&amp;Recurrent layers</source>
        <translation>&amp;Rekurrente Schichten</translation>
    </message>
    <message>
        <source>Run &amp;samples one at a time</source>
        <translation>&amp;Proben einzeln ausführen</translation>
    </message>
    <message>
        <source>Merge unro&amp;lled steps into one layer</source>
        <translation>Abgerollte Schritte zu einer &amp;Schicht zusammenfassen</translation>
    </message>
    <message>
        <source>Optimize: exact &amp;folding and merging of nodes</source>
        <translation>Optimieren: Knoten exakt &amp;falten und zusammenfassen</translation>
    </message>
    <message>
        <source>Optimize: fuse a&amp;ttention into one node (opset 23)</source>
        <translation>Optimieren: A&amp;ttention zu einem Knoten verschmelzen (Opset 23)</translation>
    </message>
    <message>
        <source>Opset %1 (default)</source>
        <translation>Opset %1 (Vorgabe)</translation>
    </message>
    <message>
        <source>Opset %1</source>
        <translation>Opset %1</translation>
    </message>
    <message>
        <source>Recurrent layers: &amp;exact, as a Scan where ONNX differs</source>
        <translation>Rekurrente Schichten: &amp;exakt, als Scan, wo ONNX abweicht</translation>
    </message>
    <message>
        <source>Recurrent layers: ONNX&apos;s &amp;nearest operator</source>
        <translation>Rekurrente Schichten: &amp;nächster Operator von ONNX</translation>
    </message>
    <message>
        <source>Recurrent layers: exact, &amp;unrolled</source>
        <translation>Rekurrente Schichten: exakt, &amp;abgerollt</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::OutlineModel</name>
    <message>
        <source>%1, %2, drawn as weights of %3</source>
        <translation>%1, %2, gezeichnet als Gewichte von %3</translation>
    </message>
    <message>
        <source>, shape changed</source>
        <translation>, Form geändert</translation>
    </message>
    <message>
        <source>, not expressible in ONNX: %1</source>
        <translation>, in ONNX nicht ausdrückbar: %1</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 Knoten</translation>
    </message>
    <message numerus="yes">
        <source>%Ln nodes</source>
        <translation>
            <numerusform>%Ln Knoten</numerusform>
            <numerusform>%Ln Knoten</numerusform>
        </translation>
    </message>
    <message>
        <source>, matches the recorded tensors</source>
        <translation>, stimmt mit den aufgezeichneten Tensoren überein</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::OutlinePanel</name>
    <message>
        <source>Side that the outline lists</source>
        <translation>Seite, die die Gliederung zeigt</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>ONNX</source>
        <translation>ONNX</translation>
    </message>
    <message>
        <source>Search nodes</source>
        <translation>Knoten suchen</translation>
    </message>
    <message>
        <source>Search names, operators, tensors, attributes and shapes: kernel=(3,3), 64x56x56, relu stage2</source>
        <translation>Sucht in Namen, Operatoren, Tensoren, Attributen und Formen: kernel=(3,3), 64x56x56, relu stage2</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>Body</source>
        <translation>Rumpf</translation>
    </message>
    <message>
        <source>The nodes of the open model are listed here.</source>
        <translation>Hier stehen die Knoten des offenen Modells.</translation>
    </message>
    <message>
        <source>There is no ONNX graph yet.</source>
        <translation>Es gibt noch keinen ONNX-Graphen.</translation>
    </message>
    <message>
        <source>No node matches. The search covers names, operators, tensors, attributes and shapes: kernel=(3,3), 64x56x56, relu stage2.</source>
        <translation>Kein Knoten passt. Die Suche umfasst Namen, Operatoren, Tensoren, Attribute und Formen: kernel=(3,3), 64x56x56, relu stage2.</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 Knoten</translation>
    </message>
    <message numerus="yes">
        <source>%Ln nodes</source>
        <translation>
            <numerusform>%Ln Knoten</numerusform>
            <numerusform>%Ln Knoten</numerusform>
        </translation>
    </message>
    <message>
        <source>%L1+ nodes</source>
        <translation>%L1+ Knoten</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::ProblemsModel</name>
    <message>
        <source>%1 (for example; the numbers differ by node)</source>
        <translation>%1 (zum Beispiel; die Zahlen unterscheiden sich je Knoten)</translation>
    </message>
    <message>
        <source>%1 (available for %2 of %3)</source>
        <translation>%1 (verfügbar für %2 von %3)</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 Knoten</translation>
    </message>
    <message numerus="yes">
        <source>%Ln nodes</source>
        <translation>
            <numerusform>%Ln Knoten</numerusform>
            <numerusform>%Ln Knoten</numerusform>
        </translation>
    </message>
    <message>
        <source>Mixed</source>
        <translation>Gemischt</translation>
    </message>
    <message>
        <source>The whole model</source>
        <translation>Das ganze Modell</translation>
    </message>
    <message>
        <source>1 node is blocked by this.</source>
        <translation>1 Knoten wird davon blockiert.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln nodes are blocked by this.</source>
        <translation>
            <numerusform>%Ln Knoten wird davon blockiert.</numerusform>
            <numerusform>%Ln Knoten werden davon blockiert.</numerusform>
        </translation>
    </message>
    <message>
        <source>Blocked: an input is unknown</source>
        <translation>Blockiert: Ein Eingang ist unbekannt</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Solution</source>
        <translation>Lösung</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::ProblemsPanel</name>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Problems found while reading and converting are listed here.</source>
        <translation>Hier stehen Probleme, die beim Lesen und Umwandeln gefunden wurden.</translation>
    </message>
    <message>
        <source>The two models are equal.</source>
        <translation>Die beiden Modelle sind gleich.</translation>
    </message>
    <message>
        <source>No problems: every node converts exactly.</source>
        <translation>Keine Probleme: Jeder Knoten wird exakt umgewandelt.</translation>
    </message>
    <message>
        <source>What to do about it</source>
        <translation>Was zu tun ist</translation>
    </message>
    <message>
        <source>Select the nodes</source>
        <translation>Knoten auswählen</translation>
    </message>
    <message>
        <source>Go to the node</source>
        <translation>Zum Knoten</translation>
    </message>
    <message>
        <source>Select the blocked nodes</source>
        <translation>Blockierte Knoten auswählen</translation>
    </message>
    <message>
        <source>Strategy of this node</source>
        <translation>Strategie dieses Knotens</translation>
    </message>
    <message>
        <source>Strategy of all %1</source>
        <translation>Strategie aller %1</translation>
    </message>
    <message>
        <source>Map to a custom operator…</source>
        <translation>Eigenem Operator zuordnen…</translation>
    </message>
    <message>
        <source>Cut the model here</source>
        <translation>Modell hier abschneiden</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::PropertiesPanel</name>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Name of the node</source>
        <translation>Name des Knotens</translation>
    </message>
    <message>
        <source>Conversion result of the node</source>
        <translation>Ergebnis der Umwandlung des Knotens</translation>
    </message>
    <message>
        <source>Verification of the node on recorded tensors</source>
        <translation>Prüfung des Knotens mit aufgezeichneten Tensoren</translation>
    </message>
    <message>
        <source>Attributes, shapes and weights</source>
        <translation>Attribute, Formen und Gewichte</translation>
    </message>
    <message numerus="yes">
        <source>%Ln nodes are selected.</source>
        <translation>
            <numerusform>%Ln Knoten ist ausgewählt.</numerusform>
            <numerusform>%Ln Knoten sind ausgewählt.</numerusform>
        </translation>
    </message>
    <message>
        <source>The selected node is described here.</source>
        <translation>Hier wird der ausgewählte Knoten beschrieben.</translation>
    </message>
    <message numerus="yes">
        <source>%1 for all %Ln nodes with this gap</source>
        <translation>
            <numerusform>%1 für %Ln Knoten mit dieser Lücke</numerusform>
            <numerusform>%1 für alle %Ln Knoten mit dieser Lücke</numerusform>
        </translation>
    </message>
    <message>
        <source>Map to a custom operator…</source>
        <translation>Eigenem Operator zuordnen…</translation>
    </message>
    <message>
        <source>Cut the model here</source>
        <translation>Modell hier abschneiden</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::SaveController</name>
    <message>
        <source>Save a &amp;picture of the graph…</source>
        <translation>&amp;Bild des Graphen speichern…</translation>
    </message>
    <message>
        <source>Save a picture of the &amp;selection…</source>
        <translation>Bild der Aus&amp;wahl speichern…</translation>
    </message>
    <message>
        <source>Save a &amp;report of the conversion…</source>
        <translation>Be&amp;richt der Umwandlung speichern…</translation>
    </message>
    <message>
        <source>Save the &amp;layers as CSV…</source>
        <translation>Sch&amp;ichten als CSV speichern…</translation>
    </message>
    <message>
        <source>Nothing was saved: %1.</source>
        <translation>Nichts wurde gespeichert: %1.</translation>
    </message>
    <message>
        <source>Save a picture of the source graph</source>
        <translation>Bild des Quellgraphen speichern</translation>
    </message>
    <message>
        <source>Save a picture of the ONNX graph</source>
        <translation>Bild des ONNX-Graphen speichern</translation>
    </message>
    <message>
        <source>PNG (*.png);;SVG (*.svg);;PDF (*.pdf)</source>
        <translation>PNG (*.png);;SVG (*.svg);;PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Save a report of the conversion</source>
        <translation>Bericht der Umwandlung speichern</translation>
    </message>
    <message>
        <source>Web pages (*.html)</source>
        <translation>Webseiten (*.html)</translation>
    </message>
    <message>
        <source>Save the layers</source>
        <translation>Schichten speichern</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <source>%1-layers.csv</source>
        <translation>%1-schichten.csv</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::SettingsDialog</name>
    <message>
        <source>Optimize: fuse attent&amp;ion into one node (opset 23)</source>
        <translation>Optimieren: Attent&amp;ion zu einem Knoten verschmelzen (Opset 23)</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Design</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Source and &amp;ONNX</source>
        <translation>Quelle und &amp;ONNX</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <source>Stacked</source>
        <translation>Übereinander</translation>
    </message>
    <message>
        <source>Re&amp;store open models at start</source>
        <translation>Offene Modelle beim Start &amp;wiederherstellen</translation>
    </message>
    <message>
        <source>Models opened from now on</source>
        <translation>Modelle, die ab jetzt geöffnet werden</translation>
    </message>
    <message>
        <source>O&amp;pset</source>
        <translation>O&amp;pset</translation>
    </message>
    <message>
        <source>%1, or that of an ONNX file</source>
        <translation>%1, oder das einer ONNX-Datei</translation>
    </message>
    <message>
        <source>&amp;Recurrent layers</source>
        <translation>&amp;Rekurrente Schichten</translation>
    </message>
    <message>
        <source>Exact, as a Scan if ONNX&apos;s operator differs</source>
        <translation>Exakt, als Scan, wo der Operator von ONNX abweicht</translation>
    </message>
    <message>
        <source>ONNX&apos;s nearest operator, with a warning about differences</source>
        <translation>Nächster Operator von ONNX, mit Warnung vor Abweichungen</translation>
    </message>
    <message>
        <source>Exact, unrolled into one copy per time step</source>
        <translation>Exakt, abgerollt zu einer Kopie je Zeitschritt</translation>
    </message>
    <message>
        <source>Merge &amp;unrolled steps into one layer</source>
        <translation>Abgerollte &amp;Schritte zu einer Schicht zusammenfassen</translation>
    </message>
    <message>
        <source>Optimize: exact &amp;folding and merging of nodes</source>
        <translation>Optimieren: Knoten exakt &amp;falten und zusammenfassen</translation>
    </message>
    <message>
        <source>Export and verification</source>
        <translation>Export und Prüfung</translation>
    </message>
    <message>
        <source>Store &amp;weights in a separate file (model.onnx.data)</source>
        <translation>&amp;Gewichte in einer eigenen Datei speichern (model.onnx.data)</translation>
    </message>
    <message>
        <source>Rel&amp;ative tolerance</source>
        <translation>&amp;Relative Toleranz</translation>
    </message>
    <message>
        <source>A&amp;bsolute tolerance</source>
        <translation>A&amp;bsolute Toleranz</translation>
    </message>
    <message>
        <source>Settings are not stored.</source>
        <translation>Einstellungen werden nicht gespeichert.</translation>
    </message>
    <message>
        <source>Settings and open models are stored only in %1.</source>
        <translation>Einstellungen und offene Modelle werden nur in %1 gespeichert.</translation>
    </message>
    <message>
        <source>Location of the settings</source>
        <translation>Ort der Einstellungen</translation>
    </message>
    <message>
        <source>Restore &amp;defaults</source>
        <translation>&amp;Vorgaben wiederherstellen</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>Leave weights in the &amp;model&apos;s files where they are stored unchanged</source>
        <translation>Gewichte in den Dateien des &amp;Modells lassen, wo sie unverändert liegen</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::ShapeDelegate</name>
    <message>
        <source>N, 3, 224, 224</source>
        <translation>N, 3, 224, 224</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::SignaturesModel</name>
    <message>
        <source>In use</source>
        <translation>In Gebrauch</translation>
    </message>
    <message>
        <source>Click or press Enter to use it</source>
        <translation>Zum Verwenden klicken oder die Eingabetaste drücken</translation>
    </message>
    <message>
        <source>%1, in use</source>
        <translation>%1, in Gebrauch</translation>
    </message>
    <message>
        <source>Signature</source>
        <translation>Signatur</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingänge</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgänge</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::SlicePicker</name>
    <message>
        <source>axis %1</source>
        <translation>Achse %1</translation>
    </message>
    <message>
        <source>Index along axis %1</source>
        <translation>Index auf Achse %1</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::StartPage</name>
    <message>
        <source>Phone activity: convolutions and a GRU</source>
        <translation>Aktivität am Telefon: Faltungen und ein GRU</translation>
    </message>
    <message>
        <source>Digit reader: CNN and bidirectional LSTM</source>
        <translation>Ziffernleser: CNN und bidirektionales LSTM</translation>
    </message>
    <message>
        <source>Keyword spotter: LSTM with a clipped cell and a projection</source>
        <translation>Schlüsselwörter: LSTM mit begrenzter Zelle und Projektion</translation>
    </message>
    <message>
        <source>Bidirectional LSTM</source>
        <translation>Bidirektionales LSTM</translation>
    </message>
    <message>
        <source>Speech commands: a while loop that is an LSTM</source>
        <translation>Sprachbefehle: eine While-Schleife, die ein LSTM ist</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Drop a model here</source>
        <translation>Modell hier ablegen</translation>
    </message>
    <message>
        <source>Models of %1. Nothing leaves this machine.</source>
        <translation>Modelle von %1. Nichts verlässt diesen Rechner.</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen…</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>Modell öffnen</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Beispiele</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::StatusLine</name>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Verdicts</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Verification</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>Legend of the marks. Click an entry to show only its nodes; click it again or press Esc to show all.</source>
        <translation>Legende der Zeichen. Ein Klick auf einen Eintrag zeigt nur seine Knoten; noch ein Klick oder Esc zeigt alle.</translation>
    </message>
    <message>
        <source>&amp;Cancel the running task</source>
        <translation>Laufende Aufgabe &amp;abbrechen</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel the running task</source>
        <translation>Laufende Aufgabe abbrechen</translation>
    </message>
    <message>
        <source>1 operator</source>
        <translation>1 Operator</translation>
    </message>
    <message numerus="yes">
        <source>%Ln operators</source>
        <translation>
            <numerusform>%Ln Operator</numerusform>
            <numerusform>%Ln Operatoren</numerusform>
        </translation>
    </message>
    <message>
        <source>1 ONNX node</source>
        <translation>1 ONNX-Knoten</translation>
    </message>
    <message numerus="yes">
        <source>%Ln ONNX nodes</source>
        <translation>
            <numerusform>%Ln ONNX-Knoten</numerusform>
            <numerusform>%Ln ONNX-Knoten</numerusform>
        </translation>
    </message>
    <message>
        <source>left out</source>
        <translation>weggelassen</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>blockiert</translation>
    </message>
    <message>
        <source>converted in %1</source>
        <translation>umgewandelt in %1</translation>
    </message>
    <message>
        <source>The models are equal</source>
        <translation>Die Modelle sind gleich</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 Knoten</translation>
    </message>
    <message numerus="yes">
        <source>%Ln nodes</source>
        <translation>
            <numerusform>%Ln Knoten</numerusform>
            <numerusform>%Ln Knoten</numerusform>
        </translation>
    </message>
    <message>
        <source>compared in %1</source>
        <translation>verglichen in %1</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::StrategyComparison</name>
    <message>
        <source>Comparing strategies</source>
        <translation>Vergleichen der Strategien</translation>
    </message>
    <message>
        <source>Measuring strategies</source>
        <translation>Messen der Strategien</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::StrategyTable</name>
    <message>
        <source>%L1 µs</source>
        <translation>%L1 µs</translation>
    </message>
    <message>
        <source>Measure the times</source>
        <translation>Zeiten messen</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>Strategie</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Aufwand</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Whether the export computes the same function</source>
        <translation>Ob der Export dieselbe Funktion berechnet</translation>
    </message>
    <message>
        <source>ONNX nodes in place of this node</source>
        <translation>ONNX-Knoten anstelle dieses Knotens</translation>
    </message>
    <message>
        <source>Multiply-adds of these nodes, with symbolic sizes of 1</source>
        <translation>Multiply-Adds dieser Knoten, mit symbolischen Größen von 1</translation>
    </message>
    <message>
        <source>Measured with ONNX Runtime, in this model</source>
        <translation>Mit ONNX Runtime gemessen, in diesem Modell</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>exakt</translation>
    </message>
    <message>
        <source>approximate</source>
        <translation>angenähert</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>Messen…</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 Knoten</translation>
    </message>
    <message numerus="yes">
        <source>%Ln nodes</source>
        <translation>
            <numerusform>%Ln Knoten</numerusform>
            <numerusform>%Ln Knoten</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 multiply-adds</source>
        <translation>%1 Multiply-Adds</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::SubgraphPage</name>
    <message>
        <source>Laying out the body</source>
        <translation>Anordnen des Rumpfs</translation>
    </message>
    <message>
        <source>Graph of the body</source>
        <translation>Graph des Rumpfs</translation>
    </message>
    <message>
        <source>Where in the graph</source>
        <translation>Ort im Graphen</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::TabbedWindow</name>
    <message>
        <source>Open models</source>
        <translation>Offene Modelle</translation>
    </message>
    <message>
        <source>New tab</source>
        <translation>Neuer Tab</translation>
    </message>
    <message>
        <source>Stop writing files</source>
        <translation>Schreiben von Dateien abbrechen</translation>
    </message>
    <message>
        <source>Files are still being written. Close anyway?</source>
        <translation>Dateien werden noch geschrieben. Trotzdem schließen?</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>Abbrechen und schließen</translation>
    </message>
    <message>
        <source>Open a folder as a collection</source>
        <translation>Ordner als Sammlung öffnen</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weiteres</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Restore edits</source>
        <translation>Änderungen wiederherstellen</translation>
    </message>
    <message>
        <source>Crosswalk ended unexpectedly. Restore the edits of these models?</source>
        <translation>Crosswalk wurde unerwartet beendet. Sollen die Änderungen an diesen Modellen wiederhergestellt werden?</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Später</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::TensorPanel</name>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>%L1 values are too many for the clipboard. Save them as .npy instead.</source>
        <translation>%L1 Werte sind zu viele für die Zwischenablage. Speichern Sie sie stattdessen als .npy.</translation>
    </message>
    <message>
        <source>Reading values</source>
        <translation>Lesen der Werte</translation>
    </message>
    <message>
        <source>Writing values</source>
        <translation>Schreiben der Werte</translation>
    </message>
    <message>
        <source>Comparing values</source>
        <translation>Vergleichen der Werte</translation>
    </message>
    <message>
        <source>Measuring channels</source>
        <translation>Messen der Kanäle</translation>
    </message>
    <message>
        <source>Save as .npy…</source>
        <translation>Als .npy speichern…</translation>
    </message>
    <message>
        <source>Tensor of the node</source>
        <translation>Tensor des Knotens</translation>
    </message>
    <message>
        <source>Statistics of the values</source>
        <translation>Statistik der Werte</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Side of the values</source>
        <translation>Seite der Werte</translation>
    </message>
    <message>
        <source>View of the values</source>
        <translation>Ansicht der Werte</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>Heatmap</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>Kanäle</translation>
    </message>
    <message>
        <source>Axis of the channels</source>
        <translation>Achse der Kanäle</translation>
    </message>
    <message>
        <source>Statistics per channel</source>
        <translation>Statistik je Kanal</translation>
    </message>
    <message>
        <source>The selected node reads no stored tensor.</source>
        <translation>Der ausgewählte Knoten liest keinen gespeicherten Tensor.</translation>
    </message>
    <message>
        <source>Select a node to see the values of its weights.</source>
        <translation>Wählen Sie einen Knoten aus, um die Werte seiner Gewichte zu sehen.</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>ONNX</source>
        <translation>ONNX</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Differenz</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Vergleichen…</translation>
    </message>
    <message>
        <source>Axis %1 (%L2)</source>
        <translation>Achse %1 (%L2)</translation>
    </message>
    <message>
        <source>Reading the values…</source>
        <translation>Die Werte werden gelesen…</translation>
    </message>
    <message>
        <source>Values of this type are not shown.</source>
        <translation>Werte dieses Typs werden nicht gezeigt.</translation>
    </message>
    <message>
        <source>Statistics are computed for at most %1 channels</source>
        <translation>Statistiken werden für höchstens %1 Kanäle berechnet</translation>
    </message>
    <message>
        <source>No value is more than %1 deviations from the mean</source>
        <translation>Kein Wert liegt mehr als %1 Abweichungen vom Mittelwert</translation>
    </message>
    <message>
        <source>%1 outliers beyond %2 deviations; the farthest: %3</source>
        <translation>%1 Ausreißer jenseits von %2 Abweichungen; die fernsten: %3</translation>
    </message>
    <message>
        <source>minimum %1</source>
        <translation>Minimum %1</translation>
    </message>
    <message>
        <source>maximum %1</source>
        <translation>Maximum %1</translation>
    </message>
    <message>
        <source>mean %1</source>
        <translation>Mittelwert %1</translation>
    </message>
    <message>
        <source>deviation %1</source>
        <translation>Abweichung %1</translation>
    </message>
    <message>
        <source>%1 zeros</source>
        <translation>%1 Nullen</translation>
    </message>
    <message>
        <source>%1 infinite</source>
        <translation>%1 unendlich</translation>
    </message>
    <message>
        <source>%1 NaN</source>
        <translation>%1 NaN</translation>
    </message>
    <message>
        <source>The table shows the first %L1 rows and %L2 columns.</source>
        <translation>Die Tabelle zeigt die ersten %L1 Zeilen und %L2 Spalten.</translation>
    </message>
    <message>
        <source>Save the tensor</source>
        <translation>Tensor speichern</translation>
    </message>
    <message>
        <source>NumPy arrays (*.npy)</source>
        <translation>NumPy-Arrays (*.npy)</translation>
    </message>
    <message>
        <source>Outliers</source>
        <translation>Ausreißer</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::Toast</name>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Close the message</source>
        <translation>Meldung schließen</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::UnknownOperators</name>
    <message>
        <source>Map to a &amp;custom operator…</source>
        <translation>&amp;Eigenem Operator zuordnen…</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::Verifier</name>
    <message>
        <source>Verifying with ONNX Runtime</source>
        <translation>Prüfen mit ONNX Runtime</translation>
    </message>
    <message>
        <source>Measuring with ONNX Runtime</source>
        <translation>Messen mit ONNX Runtime</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::VerifyController</name>
    <message>
        <source>&amp;Verify against recorded tensors…</source>
        <translation>Gegen aufgezeichnete Tensoren &amp;prüfen…</translation>
    </message>
    <message>
        <source>Verify against the &amp;original</source>
        <translation>Gegen das &amp;Original prüfen</translation>
    </message>
    <message>
        <source>Folder with recorded tensors (test_data_set_0, or input_0.pb and output_0.pb)</source>
        <translation>Ordner mit aufgezeichneten Tensoren (test_data_set_0, oder input_0.pb und output_0.pb)</translation>
    </message>
    <message>
        <source>1 node has no ONNX equivalent: no runtime can run the model.</source>
        <translation>1 Knoten hat keine Entsprechung in ONNX: Keine Laufzeit kann das Modell ausführen.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln nodes have no ONNX equivalent: no runtime can run the model.</source>
        <translation>
            <numerusform>%Ln Knoten hat keine Entsprechung in ONNX: Keine Laufzeit kann das Modell ausführen.</numerusform>
            <numerusform>%Ln Knoten haben keine Entsprechung in ONNX: Keine Laufzeit kann das Modell ausführen.</numerusform>
        </translation>
    </message>
    <message>
        <source>The model cannot be verified yet. %1</source>
        <translation>Das Modell kann noch nicht geprüft werden. %1</translation>
    </message>
    <message>
        <source>matches the original, largest difference %L1</source>
        <translation>stimmt mit dem Original überein, größte Differenz %L1</translation>
    </message>
    <message>
        <source>verified, largest difference %L1</source>
        <translation>geprüft, größte Differenz %L1</translation>
    </message>
    <message>
        <source>differs from the original</source>
        <translation>weicht vom Original ab</translation>
    </message>
    <message>
        <source>differs</source>
        <translation>weicht ab</translation>
    </message>
    <message>
        <source>1 recorded data set</source>
        <translation>1 aufgezeichneter Datensatz</translation>
    </message>
    <message numerus="yes">
        <source>%Ln recorded data sets</source>
        <translation>
            <numerusform>%Ln aufgezeichneter Datensatz</numerusform>
            <numerusform>%Ln aufgezeichnete Datensätze</numerusform>
        </translation>
    </message>
    <message>
        <source>ONNX Runtime %1, %2; %3</source>
        <translation>ONNX Runtime %1, %2; %3</translation>
    </message>
    <message>
        <source>1 node matches</source>
        <translation>1 Knoten stimmt überein</translation>
    </message>
    <message numerus="yes">
        <source>%Ln nodes match</source>
        <translation>
            <numerusform>%Ln Knoten stimmt überein</numerusform>
            <numerusform>%Ln Knoten stimmen überein</numerusform>
        </translation>
    </message>
    <message>
        <source>Go to the node</source>
        <translation>Zum Knoten</translation>
    </message>
    <message>
        <source>not verified</source>
        <translation>nicht geprüft</translation>
    </message>
    <message>
        <source>The export was not verified: %1. Exporting itself requires no runtime.</source>
        <translation>Der Export wurde nicht geprüft: %1. Das Exportieren selbst braucht keine Laufzeit.</translation>
    </message>
    <message>
        <source>Installation…</source>
        <translation>Installation…</translation>
    </message>
    <message>
        <source>Verification failed: %1.</source>
        <translation>Prüfung fehlgeschlagen: %1.</translation>
    </message>
    <message>
        <source>The times were not measured: %1.</source>
        <translation>Die Laufzeiten wurden nicht gemessen: %1.</translation>
    </message>
    <message>
        <source>ONNX Runtime</source>
        <translation>ONNX Runtime</translation>
    </message>
    <message>
        <source>Verification runs the export in ONNX Runtime.</source>
        <translation>Die Prüfung führt den Export in ONNX Runtime aus.</translation>
    </message>
    <message>
        <source>Searched in this order:
%1
To install it, run pip install onnxruntime or unpack a release archive of ONNX Runtime; both contain libonnxruntime.so. Choose that file below, or set CROSSWALK_ONNXRUNTIME to it or to its folder.

%2.</source>
        <translation>Gesucht wurde in dieser Reihenfolge:
%1
Zum Installieren pip install onnxruntime ausführen oder ein Archiv einer Veröffentlichung von ONNX Runtime entpacken; beide enthalten libonnxruntime.so. Wählen Sie unten diese Datei, oder setzen Sie CROSSWALK_ONNXRUNTIME auf sie oder ihren Ordner.

%2.</translation>
    </message>
    <message>
        <source>Choose the library…</source>
        <translation>Bibliothek wählen…</translation>
    </message>
    <message>
        <source>Choose ONNX Runtime&apos;s library</source>
        <translation>Bibliothek von ONNX Runtime wählen</translation>
    </message>
    <message>
        <source>ONNX Runtime (libonnxruntime.so*);;All files (*)</source>
        <translation>ONNX Runtime (libonnxruntime.so*);;Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>crosswalk::ui::Words</name>
    <message>
        <source>… %1 in all</source>
        <translation>… insgesamt %1</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>shape</source>
        <comment>badge</comment>
        <translation>Form</translation>
    </message>
    <message>
        <source>%L1 µs</source>
        <translation>%L1 µs</translation>
    </message>
    <message>
        <source>below %1</source>
        <translation>unter %1</translation>
    </message>
    <message>
        <source>%1 and more</source>
        <translation>%1 und mehr</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>blockiert</translation>
    </message>
    <message>
        <source>recurrent</source>
        <translation>rekurrent</translation>
    </message>
    <message>
        <source>convolution, matrix product</source>
        <translation>Faltung, Matrixprodukt</translation>
    </message>
    <message>
        <source>normalisation</source>
        <translation>Normalisierung</translation>
    </message>
    <message>
        <source>activation</source>
        <translation>Aktivierung</translation>
    </message>
    <message>
        <source>pooling, resizing</source>
        <translation>Pooling, Skalierung</translation>
    </message>
    <message>
        <source>shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>arithmetic</source>
        <translation>Arithmetik</translation>
    </message>
    <message>
        <source>control flow</source>
        <translation>Steuerfluss</translation>
    </message>
    <message>
        <source>inputs, outputs, constants</source>
        <translation>Eingänge, Ausgänge, Konstanten</translation>
    </message>
    <message>
        <source>other</source>
        <translation>andere</translation>
    </message>
    <message>
        <source>Operator family</source>
        <translation>Operatorfamilie</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Size of weights</source>
        <translation>Größe der Gewichte</translation>
    </message>
    <message>
        <source>Multiply-adds</source>
        <translation>Multiply-Adds</translation>
    </message>
    <message>
        <source>Element type</source>
        <translation>Elementtyp</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Measured latency</source>
        <translation>Gemessene Laufzeit</translation>
    </message>
    <message>
        <source>Colour by operator &amp;family</source>
        <translation>Nach Operator&amp;familie färben</translation>
    </message>
    <message>
        <source>Colour by &amp;parameters</source>
        <translation>Nach &amp;Parametern färben</translation>
    </message>
    <message>
        <source>Colour by &amp;size of weights</source>
        <translation>Nach &amp;Größe der Gewichte färben</translation>
    </message>
    <message>
        <source>Colour by &amp;multiply-adds</source>
        <translation>Nach &amp;Multiply-Adds färben</translation>
    </message>
    <message>
        <source>Colour by element &amp;type</source>
        <translation>Nach Element&amp;typ färben</translation>
    </message>
    <message>
        <source>Colour by &amp;verdict</source>
        <translation>Nach Er&amp;gebnis färben</translation>
    </message>
    <message>
        <source>Colour by &amp;error</source>
        <translation>Nach F&amp;ehler färben</translation>
    </message>
    <message>
        <source>Colour by measured &amp;latency</source>
        <translation>Nach gemessener &amp;Laufzeit färben</translation>
    </message>
    <message>
        <source>1 gap</source>
        <translation>1 Lücke</translation>
    </message>
    <message numerus="yes">
        <source>%Ln gaps</source>
        <translation>
            <numerusform>%Ln Lücke</numerusform>
            <numerusform>%Ln Lücken</numerusform>
        </translation>
    </message>
    <message>
        <source>clip</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>nan</source>
        <translation>nan</translation>
    </message>
    <message>
        <source>proj</source>
        <translation>proj</translation>
    </message>
    <message>
        <source>length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>body of 1 node</source>
        <translation>Rumpf mit 1 Knoten</translation>
    </message>
    <message numerus="yes">
        <source>body of %Ln nodes</source>
        <translation>
            <numerusform>Rumpf mit %Ln Knoten</numerusform>
            <numerusform>Rumpf mit %Ln Knoten</numerusform>
        </translation>
    </message>
    <message>
        <source>1 body</source>
        <translation>1 Rumpf</translation>
    </message>
    <message numerus="yes">
        <source>%Ln bodies</source>
        <translation>
            <numerusform>%Ln Rumpf</numerusform>
            <numerusform>%Ln Rümpfe</numerusform>
        </translation>
    </message>
    <message>
        <source>By default %1.</source>
        <translation>Vorgabe: %1.</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>Attribute</translation>
    </message>
    <message>
        <source>%1 (default)</source>
        <translation>%1 (Vorgabe)</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Removed: the other model has no such node.</source>
        <translation>Entfernt: Das andere Modell hat keinen solchen Knoten.</translation>
    </message>
    <message>
        <source>Added: the first model has no such node.</source>
        <translation>Hinzugefügt: Das erste Modell hat keinen solchen Knoten.</translation>
    </message>
    <message>
        <source>The same in both models.</source>
        <translation>In beiden Modellen gleich.</translation>
    </message>
    <message>
        <source>1 property changed.</source>
        <translation>1 Eigenschaft geändert.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln properties changed.</source>
        <translation>
            <numerusform>%Ln Eigenschaft geändert.</numerusform>
            <numerusform>%Ln Eigenschaften geändert.</numerusform>
        </translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>The same</source>
        <translation>Gleich</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Removed</source>
        <translation>Entfernt</translation>
    </message>
    <message>
        <source>Added</source>
        <translation>Hinzugefügt</translation>
    </message>
    <message>
        <source>Click to select these nodes</source>
        <translation>Klicken, um diese Knoten auszuwählen</translation>
    </message>
    <message>
        <source>Largest layers</source>
        <translation>Größte Schichten</translation>
    </message>
    <message>
        <source>%1, &lt; 1 %</source>
        <translation>%1, &lt; 1 %</translation>
    </message>
    <message>
        <source>%1, %2 %</source>
        <translation>%1, %2 %</translation>
    </message>
    <message>
        <source>%1: %2 parameters in %3</source>
        <translation>%1: %2 Parameter in %3</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>Tensoren</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>unknown: set the shapes of the inputs</source>
        <translation>unbekannt: Formen der Eingänge festlegen</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>mindestens %1</translation>
    </message>
    <message>
        <source>Counted with</source>
        <translation>Gezählt mit</translation>
    </message>
    <message>
        <source>The sizes that the count takes for named dimensions.</source>
        <translation>Die Größen, die beim Zählen für benannte Dimensionen stehen.</translation>
    </message>
    <message>
        <source>Not counted</source>
        <translation>Nicht gezählt</translation>
    </message>
    <message>
        <source>Their sizes depend on the inputs.</source>
        <translation>Ihre Größen hängen von den Eingaben ab.</translation>
    </message>
    <message>
        <source>Conversion</source>
        <translation>Umwandlung</translation>
    </message>
    <message>
        <source>Opset</source>
        <translation>Opset</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>Exakt</translation>
    </message>
    <message>
        <source>Exact, as several nodes</source>
        <translation>Exakt, als mehrere Knoten</translation>
    </message>
    <message>
        <source>Approximate</source>
        <translation>Angenähert</translation>
    </message>
    <message>
        <source>Not supported</source>
        <translation>Nicht unterstützt</translation>
    </message>
    <message>
        <source>Blocked</source>
        <translation>Blockiert</translation>
    </message>
    <message>
        <source>Folded</source>
        <translation>Gefaltet</translation>
    </message>
    <message>
        <source>Multiply-adds of one run: a product and its addition count as one, so there are twice as many floating-point operations. Pooling, normalisation and elementwise operators count one per element; operators that only move data count nothing.</source>
        <translation>Multiply-Adds eines Laufs: Ein Produkt und seine Addition zählen als eins, es sind also doppelt so viele Gleitkommaoperationen. Pooling, Normalisierung und elementweise Operatoren zählen eins je Element; Operatoren, die nur Daten bewegen, zählen nichts.</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>To continue a stream, pass this output to that input in the next run.</source>
        <translation>Um einen Strom fortzusetzen, geben Sie im nächsten Lauf diesen Ausgang an jenen Eingang.</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 Knoten</translation>
    </message>
    <message numerus="yes">
        <source>%Ln nodes</source>
        <translation>
            <numerusform>%Ln Knoten</numerusform>
            <numerusform>%Ln Knoten</numerusform>
        </translation>
    </message>
    <message>
        <source>No output needs these nodes, so they are not converted.</source>
        <translation>Kein Ausgang braucht diese Knoten, also werden sie nicht umgewandelt.</translation>
    </message>
    <message>
        <source>Unused parts (%1)</source>
        <translation>Unbenutzte Teile (%1)</translation>
    </message>
    <message>
        <source>Functions</source>
        <translation>Funktionen</translation>
    </message>
    <message>
        <source>Lookup tables and assets</source>
        <translation>Tabellen und Beigaben</translation>
    </message>
    <message>
        <source>table, %1 → %2</source>
        <translation>Tabelle, %1 → %2</translation>
    </message>
    <message>
        <source>, from %1</source>
        <translation>, aus %1</translation>
    </message>
    <message>
        <source>file of the model</source>
        <translation>Datei des Modells</translation>
    </message>
    <message>
        <source>ONNX, opset %1</source>
        <translation>ONNX, Opset %1</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 Parameter</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>File size</source>
        <translation>Dateigröße</translation>
    </message>
    <message>
        <source>Producer</source>
        <translation>Hersteller</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Signature</source>
        <translation>Signatur</translation>
    </message>
    <message>
        <source>Opset of %1</source>
        <translation>Opset von %1</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingänge</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgänge</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>Operatoren</translation>
    </message>
    <message>
        <source>ONNX operators</source>
        <translation>ONNX-Operatoren</translation>
    </message>
    <message>
        <source> (was unknown)</source>
        <translation> (war unbekannt)</translation>
    </message>
    <message>
        <source> (was %1)</source>
        <translation> (war %1)</translation>
    </message>
    <message>
        <source>Read by</source>
        <translation>Gelesen von</translation>
    </message>
    <message>
        <source>and more</source>
        <translation>und weitere</translation>
    </message>
    <message>
        <source>In the other model</source>
        <translation>Im anderen Modell</translation>
    </message>
    <message>
        <source>In ONNX</source>
        <translation>In ONNX</translation>
    </message>
    <message>
        <source>In the source</source>
        <translation>In der Quelle</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>and more, %1 in all</source>
        <translation>und weitere, insgesamt %1</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Eingang</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Stored in the file</source>
        <translation>In der Datei gespeichert</translation>
    </message>
    <message>
        <source>Blocked: its shapes are unknown until the gap before it is closed.</source>
        <translation>Blockiert: Seine Formen sind unbekannt, bis die Lücke davor geschlossen ist.</translation>
    </message>
    <message>
        <source>ONNX has no equivalent operator: exported as a named gap.</source>
        <translation>ONNX hat keinen entsprechenden Operator: als benannte Lücke exportiert.</translation>
    </message>
    <message>
        <source>Unchanged from the source, which does not match the requested settings.</source>
        <translation>Unverändert aus der Quelle, was nicht zu den verlangten Einstellungen passt.</translation>
    </message>
    <message>
        <source>Blocked: the shape of an input is unknown.</source>
        <translation>Blockiert: Die Form eines Eingangs ist unbekannt.</translation>
    </message>
    <message>
        <source>Not converted with these settings: exported as a named gap.</source>
        <translation>Mit diesen Einstellungen nicht umgewandelt: als benannte Lücke exportiert.</translation>
    </message>
    <message>
        <source>Its body has 1 gap.</source>
        <translation>Sein Rumpf hat 1 Lücke.</translation>
    </message>
    <message numerus="yes">
        <source>Its body has %Ln gaps.</source>
        <translation>
            <numerusform>Sein Rumpf hat %Ln Lücke.</numerusform>
            <numerusform>Sein Rumpf hat %Ln Lücken.</numerusform>
        </translation>
    </message>
    <message>
        <source>Exact: one ONNX node.</source>
        <translation>Exakt: ein ONNX-Knoten.</translation>
    </message>
    <message>
        <source>Exact, as several ONNX nodes.</source>
        <translation>Exakt, als mehrere ONNX-Knoten.</translation>
    </message>
    <message>
        <source>Approximate by your choice.</source>
        <translation>Nach Ihrer Wahl angenähert.</translation>
    </message>
    <message>
        <source>Folded: replaced by a constant or by its input.</source>
        <translation>Gefaltet: durch eine Konstante oder seinen Eingang ersetzt.</translation>
    </message>
    <message>
        <source>Added by the conversion.</source>
        <translation>Von der Umwandlung hinzugefügt.</translation>
    </message>
    <message>
        <source>Converted from %1.</source>
        <translation>Umgewandelt aus %1.</translation>
    </message>
    <message numerus="yes">
        <source>Converted from %Ln source nodes.</source>
        <translation>
            <numerusform>Umgewandelt aus %Ln Quellknoten.</numerusform>
            <numerusform>Umgewandelt aus %Ln Quellknoten.</numerusform>
        </translation>
    </message>
    <message>
        <source>Exact: one ONNX node, %1</source>
        <translation>Exakt: ein ONNX-Knoten, %1</translation>
    </message>
    <message numerus="yes">
        <source>Exact, as %Ln ONNX nodes: %1</source>
        <translation>
            <numerusform>Exakt, als %Ln ONNX-Knoten: %1</numerusform>
            <numerusform>Exakt, als %Ln ONNX-Knoten: %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Approximate by your choice: %1</source>
        <translation>Nach Ihrer Wahl angenähert: %1</translation>
    </message>
    <message>
        <source>An input of the ONNX graph: %1.</source>
        <translation>Ein Eingang des ONNX-Graphen: %1.</translation>
    </message>
    <message>
        <source>Part of the conversion of %1.</source>
        <translation>Teil der Umwandlung von %1.</translation>
    </message>
    <message>
        <source>Left out or folded: no output depends on it, or it was replaced by a constant.</source>
        <translation>Weggelassen oder gefaltet: Kein Ausgang hängt davon ab, oder es wurde durch eine Konstante ersetzt.</translation>
    </message>
    <message>
        <source>Left out: it is outside the extracted part.</source>
        <translation>Weggelassen: Es liegt außerhalb des herausgelösten Teils.</translation>
    </message>
    <message>
        <source>1 operator</source>
        <translation>1 Operator</translation>
    </message>
    <message numerus="yes">
        <source>%Ln operators</source>
        <translation>
            <numerusform>%Ln Operator</numerusform>
            <numerusform>%Ln Operatoren</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln equal blocks, %1</source>
        <translation>
            <numerusform>%Ln gleicher Block, %1</numerusform>
            <numerusform>%Ln gleiche Blöcke, %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Double-click or press Enter to open it.</source>
        <translation>Doppelklick oder Eingabetaste öffnet.</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>Give shapes…</source>
        <translation>Formen angeben…</translation>
    </message>
    <message>
        <source>%1, largest difference %2 (%3 instead of %4)</source>
        <translation>%1, größte Differenz %2 (%3 statt %4)</translation>
    </message>
    <message>
        <source>the original</source>
        <translation>dem Original</translation>
    </message>
    <message>
        <source>the recorded tensors</source>
        <translation>den aufgezeichneten Tensoren</translation>
    </message>
    <message>
        <source>Not yet checked against the original.</source>
        <translation>Noch nicht gegen das Original geprüft.</translation>
    </message>
    <message>
        <source>Not yet checked on recorded tensors.</source>
        <translation>Noch nicht mit aufgezeichneten Tensoren geprüft.</translation>
    </message>
    <message>
        <source>Not checked: none of its values can be compared.</source>
        <translation>Nicht geprüft: Keiner seiner Werte lässt sich vergleichen.</translation>
    </message>
    <message>
        <source>Not checked: none of its values was recorded.</source>
        <translation>Nicht geprüft: Keiner seiner Werte wurde aufgezeichnet.</translation>
    </message>
    <message>
        <source>Matches the original on %1</source>
        <translation>Stimmt mit dem Original überein bei %1</translation>
    </message>
    <message>
        <source>Matches the recorded tensors</source>
        <translation>Stimmt mit den aufgezeichneten Tensoren überein</translation>
    </message>
    <message>
        <source>%1: %L2 values, largest difference %3.</source>
        <translation>%1: %L2 Werte, größte Differenz %3.</translation>
    </message>
    <message>
        <source>The first to differ from %1: %2.</source>
        <translation>Weicht als erster von %1 ab: %2.</translation>
    </message>
    <message>
        <source>Differs from %1: %2. The first difference is at %3.</source>
        <translation>Weicht von %1 ab: %2. Der erste Unterschied ist bei %3.</translation>
    </message>
    <message>
        <source>not compared</source>
        <translation>nicht verglichen</translation>
    </message>
    <message>
        <source>identical</source>
        <translation>identisch</translation>
    </message>
    <message>
        <source>agree to 1e-5</source>
        <translation>auf 1e-5 gleich</translation>
    </message>
    <message>
        <source>within tolerance</source>
        <translation>innerhalb der Toleranz</translation>
    </message>
    <message>
        <source>differs</source>
        <translation>weicht ab</translation>
    </message>
    <message>
        <source>differ</source>
        <translation>weichen ab</translation>
    </message>
    <message>
        <source>recorded tensors</source>
        <translation>aufgezeichnete Tensoren</translation>
    </message>
    <message>
        <source>random inputs</source>
        <translation>zufällige Eingaben</translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source> and </source>
        <translation> und </translation>
    </message>
    <message>
        <source>random inputs, %1 batches at once</source>
        <translation>zufällige Eingaben, %1 Batches auf einmal</translation>
    </message>
    <message>
        <source> 1 other node matches.</source>
        <translation> 1 weiterer Knoten stimmt überein.</translation>
    </message>
    <message numerus="yes">
        <source> %Ln other nodes match.</source>
        <translation>
            <numerusform> %Ln weiterer Knoten stimmt überein.</numerusform>
            <numerusform> %Ln weitere Knoten stimmen überein.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is the first to differ from %2: %3.%4</source>
        <translation>%1 weicht als erster von %2 ab: %3.%4</translation>
    </message>
    <message>
        <source>Output %1 differs from %2: %3.</source>
        <translation>Ausgang %1 weicht von %2 ab: %3.</translation>
    </message>
    <message>
        <source>Agrees with the original for one batch at a time. Several batches at once cannot be compared: %1.</source>
        <translation>Stimmt mit dem Original für einen Batch auf einmal überein. Mehrere Batches auf einmal lassen sich nicht vergleichen: %1.</translation>
    </message>
    <message>
        <source>The outputs agree; the inner tensors could not be compared: %1.</source>
        <translation>Die Ausgänge stimmen überein; die inneren Tensoren konnten nicht verglichen werden: %1.</translation>
    </message>
    <message>
        <source>“%1” is neither a size nor a name such as N.</source>
        <translation>„%1“ ist weder eine Größe noch ein Name wie N.</translation>
    </message>
    <message>
        <source>%1 is not a size. For a dynamic dimension, use a name such as N.</source>
        <translation>%1 ist keine Größe. Verwenden Sie für eine dynamische Dimension einen Namen wie N.</translation>
    </message>
    <message>
        <source>Dimension %1 is empty.</source>
        <translation>Dimension %1 ist leer.</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>Skalar</translation>
    </message>
    <message>
        <source>1 byte</source>
        <translation>1 Byte</translation>
    </message>
    <message>
        <source>NumPy does not support the type %1</source>
        <translation>NumPy unterstützt den Typ %1 nicht</translation>
    </message>
    <message numerus="yes">
        <source>%Ln bytes</source>
        <translation>
            <numerusform>%Ln Byte</numerusform>
            <numerusform>%Ln Byte</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 kB</source>
        <translation>%1 kB</translation>
    </message>
    <message>
        <source>%1 MB</source>
        <translation>%1 MB</translation>
    </message>
    <message>
        <source>%1 GB</source>
        <translation>%1 GB</translation>
    </message>
    <message>
        <source>%1 TB</source>
        <translation>%1 TB</translation>
    </message>
    <message>
        <source>%1 k</source>
        <translation>%1 Tsd.</translation>
    </message>
    <message>
        <source>%1 M</source>
        <translation>%1 Mio.</translation>
    </message>
    <message>
        <source>%1 G</source>
        <translation>%1 Mrd.</translation>
    </message>
    <message>
        <source>%L1 ms</source>
        <translation>%L1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>Save the model without its training nodes</source>
        <translation>Das Modell ohne seine Trainingsknoten speichern</translation>
    </message>
    <message>
        <source>It is exported as a named gap</source>
        <translation>Er wird als benannte Lücke exportiert</translation>
    </message>
    <message>
        <source>Set the unknown shapes in the Inputs panel</source>
        <translation>Die unbekannten Formen im Bereich Eingänge festlegen</translation>
    </message>
    <message>
        <source>Choose Run samples one at a time in the Model menu, which keeps the model unchanged</source>
        <translation>Im Menü Modell Proben einzeln ausführen wählen, was das Modell unverändert lässt</translation>
    </message>
    <message>
        <source>Set the size in the Inputs panel</source>
        <translation>Die Größe im Bereich Eingänge festlegen</translation>
    </message>
    <message>
        <source>Choose the weights file, or put it beside the model</source>
        <translation>Die Gewichtsdatei wählen oder neben das Modell legen</translation>
    </message>
    <message>
        <source>Choose the weights file that belongs to this model</source>
        <translation>Die Gewichtsdatei wählen, die zu diesem Modell gehört</translation>
    </message>
    <message>
        <source>Open the model file that belongs to it</source>
        <translation>Die Modelldatei öffnen, die dazugehört</translation>
    </message>
    <message>
        <source>Choose Reload without limits in the File menu to convert it anyway</source>
        <translation>Mit Ohne Grenzen neu laden im Menü Datei trotzdem konvertieren</translation>
    </message>
    <message>
        <source>Choose another file with Choose weights in the File menu</source>
        <translation>Mit Gewichte wählen im Menü Datei eine andere Datei wählen</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>exakt</translation>
    </message>
    <message>
        <source>decomposed</source>
        <translation>zerlegt</translation>
    </message>
    <message>
        <source>approximate</source>
        <translation>angenähert</translation>
    </message>
    <message>
        <source>unsupported</source>
        <translation>nicht unterstützt</translation>
    </message>
    <message>
        <source>folded</source>
        <translation>gefaltet</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>same</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>entfernt</translation>
    </message>
    <message>
        <source>added</source>
        <translation>hinzugefügt</translation>
    </message>
    <message>
        <source>Fused</source>
        <translation>Verschmolzen</translation>
    </message>
    <message>
        <source>Unrolled</source>
        <translation>Abgerollt</translation>
    </message>
    <message>
        <source>Cell state clipped, which ONNX&apos;s LSTM does not support</source>
        <translation>Zellzustand begrenzt, was das LSTM von ONNX nicht unterstützt</translation>
    </message>
    <message>
        <source>State projected in each step, which ONNX&apos;s LSTM does not support</source>
        <translation>Zustand in jedem Schritt projiziert, was das LSTM von ONNX nicht unterstützt</translation>
    </message>
    <message>
        <source>ONNX has no equivalent operator</source>
        <translation>ONNX hat keinen entsprechenden Operator</translation>
    </message>
    <message>
        <source>%1; for example: %2</source>
        <translation>%1; zum Beispiel: %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 (and %Ln more)</source>
        <translation>
            <numerusform>%1 (und %Ln weiteres)</numerusform>
            <numerusform>%1 (und %Ln weitere)</numerusform>
        </translation>
    </message>
    <message>
        <source>not convertible</source>
        <translation>nicht umwandelbar</translation>
    </message>
    <message>
        <source>bad input</source>
        <translation>fehlerhafte Eingabe</translation>
    </message>
    <message>
        <source>not writable</source>
        <translation>nicht schreibbar</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>Zeit überschritten</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>Speicher erschöpft</translation>
    </message>
    <message>
        <source>crashed</source>
        <translation>abgestürzt</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>nicht geprüft</translation>
    </message>
    <message>
        <source>Wheel, Shift+wheel</source>
        <translation>Mausrad, Umschalt+Mausrad</translation>
    </message>
    <message>
        <source>scroll vertically, horizontally</source>
        <translation>senkrecht, waagerecht rollen</translation>
    </message>
    <message>
        <source>Ctrl+wheel, pinch</source>
        <translation>Strg+Mausrad, Spreizen</translation>
    </message>
    <message>
        <source>zoom at the pointer</source>
        <translation>am Zeiger zoomen</translation>
    </message>
    <message>
        <source>Drag on the background, middle button, Space+drag</source>
        <translation>Ziehen am Hintergrund, mittlere Taste, Leertaste+Ziehen</translation>
    </message>
    <message>
        <source>move the graph</source>
        <translation>Graphen verschieben</translation>
    </message>
    <message>
        <source>Arrow up, down</source>
        <translation>Pfeil auf, ab</translation>
    </message>
    <message>
        <source>to a producer, to a consumer</source>
        <translation>zu einem Erzeuger, zu einem Verbraucher</translation>
    </message>
    <message>
        <source>Arrow left, right</source>
        <translation>Pfeil links, rechts</translation>
    </message>
    <message>
        <source>to a neighbour</source>
        <translation>zu einem Nachbarn</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Eingabetaste</translation>
    </message>
    <message>
        <source>open a group or a body; go to a node&apos;s panel</source>
        <translation>Gruppe oder Rumpf öffnen; zum Bereich eines Knotens</translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Strg+Eingabetaste</translation>
    </message>
    <message>
        <source>open a body in a tab</source>
        <translation>Rumpf in einem Tab öffnen</translation>
    </message>
    <message>
        <source>Backspace</source>
        <translation>Rücktaste</translation>
    </message>
    <message>
        <source>back to the previous node, then out of the group or body</source>
        <translation>zurück zum vorigen Knoten, dann aus der Gruppe oder dem Rumpf</translation>
    </message>
    <message>
        <source>Shift+click, Shift+drag, Shift+arrows</source>
        <translation>Umschalt+Klick, Umschalt+Ziehen, Umschalt+Pfeile</translation>
    </message>
    <message>
        <source>extend the selection</source>
        <translation>Auswahl erweitern</translation>
    </message>
    <message>
        <source>Double click, click on a group&apos;s title</source>
        <translation>Doppelklick, Klick auf den Titel einer Gruppe</translation>
    </message>
    <message>
        <source>open a group or a body, close a group</source>
        <translation>Gruppe oder Rumpf öffnen, Gruppe schließen</translation>
    </message>
    <message>
        <source>Ctrl+P, then 1 and 7</source>
        <translation>Strg+P, dann 1 und 7</translation>
    </message>
    <message>
        <source>opset 17, and so on</source>
        <translation>Opset 17 und so weiter</translation>
    </message>
    <message>
        <source>Keys and mouse</source>
        <translation>Tasten und Maus</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>back to the graph; no selection</source>
        <translation>zurück zum Graphen; keine Auswahl</translation>
    </message>
    <message>
        <source>In a graph</source>
        <translation>In einem Graphen</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>These convert as soon as the shapes of their inputs are known.</source>
        <translation>Diese werden umgewandelt, sobald die Formen ihrer Eingänge bekannt sind.</translation>
    </message>
    <message>
        <source>Blocked until the shapes of the inputs are given.</source>
        <translation>Blockiert, bis die Formen der Eingänge angegeben sind.</translation>
    </message>
    <message>
        <source>Map or cut…</source>
        <translation>Zuordnen oder abschneiden…</translation>
    </message>
    <message>
        <source>Choose test data of this model, or set the shape in the Inputs panel</source>
        <translation>Wählen Sie Testdaten dieses Modells, oder setzen Sie die Form im Bereich Eingänge</translation>
    </message>
    <message>
        <source>Blocked until the missing weights are given.</source>
        <translation>Blockiert, bis die fehlenden Gewichte angegeben sind.</translation>
    </message>
    <message>
        <source>operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>inputs</source>
        <translation>Eingänge</translation>
    </message>
    <message>
        <source>outputs</source>
        <translation>Ausgänge</translation>
    </message>
    <message>
        <source>order of inputs</source>
        <translation>Reihenfolge der Eingänge</translation>
    </message>
    <message>
        <source>order of outputs</source>
        <translation>Reihenfolge der Ausgänge</translation>
    </message>
    <message>
        <source>attribute %1</source>
        <translation>Attribut %1</translation>
    </message>
    <message>
        <source>weight %1</source>
        <translation>Gewicht %1</translation>
    </message>
    <message>
        <source>input %1</source>
        <translation>Eingang %1</translation>
    </message>
    <message>
        <source>output %1</source>
        <translation>Ausgang %1</translation>
    </message>
    <message>
        <source>opset %1</source>
        <translation>Opset %1</translation>
    </message>
    <message>
        <source>function %1</source>
        <translation>Funktion %1</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>Konstante</translation>
    </message>
    <message>
        <source>input</source>
        <translation>Eingang</translation>
    </message>
    <message>
        <source>output</source>
        <translation>Ausgang</translation>
    </message>
</context>
</TS>
