// Explains why the page is not running: browsers refuse its module script on `file:`.
if (location.protocol === "file:") document.getElementById("from-disk").hidden = false;
